/**
 * Replaces the `resource` of an example body. A body without one stays as it is.
 *
 * @param resource URL of an endpoint; undefined keeps the URL of the example
 */
export function replaceResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  return resource === undefined || !('resource' in body) ? body : { ...body, resource };
}
