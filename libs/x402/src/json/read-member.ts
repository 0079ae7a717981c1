/**
 * Returns a member of a JSON value, as `value?.name` in the clients does: undefined for anything but an object. Only
 * own members count, never those of a prototype.
 */
export function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Maximum nesting of a list that is converted to text. Deeper lists could overflow the stack. */
const MAX_DEPTH = 64;

/**
 * Converts a list to text as JavaScript does. The clients use that text as if it were the value: they look members up
 * by it, or match it against a pattern.
 *
 * @returns null for a list that cannot be converted, and for one nested deeper than 64 levels
 */
export function listToText(value: readonly unknown[]): string | null {
  if (isTooDeep(value)) return null;
  try {
    return String(value);
  } catch {
    return null;
  }
}

/** Goes level by level, so each value is visited once. */
function isTooDeep(list: readonly unknown[]): boolean {
  let level: readonly unknown[] = list;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.filter((item) => Array.isArray(item)).flat();
    if (level.length === 0) return false;
  }
  return true;
}
