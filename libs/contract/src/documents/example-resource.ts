/** Names of the member of a request body that has the URL of an endpoint. */
const RESOURCE_MEMBERS = ['resource', 'endpoint'];

/**
 * Returns an example body with another endpoint. A body without an endpoint stays unchanged.
 *
 * @param resource URL of an endpoint; undefined keeps the URL of the example
 */
export function replaceResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  const name = RESOURCE_MEMBERS.find((member) => member in body);
  return resource === undefined || name === undefined ? body : { ...body, [name]: resource };
}
