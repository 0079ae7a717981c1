/** Names of the member of a request body that has the URL of an endpoint. */
const RESOURCE_MEMBERS = ['resource', 'endpoint'];

/**
 * Returns an example body with another endpoint. In a body with a list of endpoints, the first one is replaced. A body
 * without an endpoint stays unchanged.
 *
 * @param resource URL of an endpoint; undefined keeps the URL of the example
 */
export function replaceResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  if (resource === undefined) return body;
  const { resources } = body;
  if (Array.isArray(resources)) return { ...body, resources: resources.with(0, resource) as unknown[] };
  const name = RESOURCE_MEMBERS.find((member) => member in body);
  return name === undefined ? body : { ...body, [name]: resource };
}
