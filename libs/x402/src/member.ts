/**
 * A member of a JSON value, read as the clients' `value?.name` reads it: undefined for whatever is no object.
 * Only own members count, so that nothing is found on a prototype.
 */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/**
 * The text JavaScript makes of a list, which the clients take for the text itself: they look members up by it,
 * or match it. Null for a list that cannot be put as text, such as one nested too deep.
 */
export function textOfList(value: readonly unknown[]): string | null {
  try {
    return String(value);
  } catch {
    return null;
  }
}
