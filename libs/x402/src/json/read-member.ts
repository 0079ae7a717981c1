/**
 * A member of a JSON value, read as the clients' `value?.name` reads it: undefined for whatever is no object.
 * Only own members count, so that nothing is found on a prototype.
 */
export function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Deeper lists than these would take the stack to put as text. */
const MAX_DEPTH = 64;

/**
 * The text JavaScript makes of a list, which the clients take for the text itself: they look members up by it,
 * or match it. Null for a list that cannot be put as text, and for one nested deeper than 64 levels.
 */
export function listToText(value: readonly unknown[]): string | null {
  if (isTooDeep(value)) return null;
  try {
    return String(value);
  } catch {
    return null;
  }
}

/** Level by level, so that the work is that of looking at each value once. */
function isTooDeep(list: readonly unknown[]): boolean {
  let level: readonly unknown[] = list;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.filter((item) => Array.isArray(item)).flat();
    if (level.length === 0) return false;
  }
  return true;
}
