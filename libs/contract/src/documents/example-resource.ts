/**
 * Returns an example body with another value of `resource`. A body without `resource` stays unchanged.
 *
 * @param resource URL of an endpoint; undefined keeps the URL of the example
 */
export function replaceResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  return resource === undefined || !('resource' in body) ? body : { ...body, resource };
}
