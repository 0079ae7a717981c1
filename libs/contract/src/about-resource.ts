/**
 * An example body about another endpoint; as it stands where it is about none.
 *
 * @param resource The endpoint's URL; undefined keeps the example's own.
 */
export function aboutResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  return resource === undefined || !('resource' in body) ? body : { ...body, resource };
}
