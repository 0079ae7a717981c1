/**
 * Returns a member of a JSON object or list; undefined for any other value. Ignores members inherited from a prototype.
 */
export function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Maximum nesting of a list that is converted to text. Deeper lists could overflow the stack. */
const MAX_DEPTH = 64;

/**
 * Converts a list to text as JavaScript does. The clients do the same implicitly when a seller sends a list instead of
 * text, for example when they match the value against a pattern.
 *
 * @returns null for a list that cannot be converted, and for a list nested deeper than 64 levels
 */
export function listToText(value: readonly unknown[]): string | null {
  if (isTooDeep(value)) return null;
  try {
    return String(value);
  } catch {
    return null;
  }
}

/** Returns true for a list nested deeper than 64 levels. Reads one level at a time, so no recursion is needed. */
function isTooDeep(list: readonly unknown[]): boolean {
  let level: readonly unknown[] = list;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.filter((item) => Array.isArray(item)).flat();
    if (level.length === 0) return false;
  }
  return true;
}
