/** Texts weigh one for each so many UTF-16 units. */
const UNITS_OF_TEXT = 128;
const MAX_DEPTH = 32;

/** What a text adds to the work of whoever looks at it. */
export function measureTextCost(text: string): number {
  return Math.floor(text.length / UNITS_OF_TEXT);
}

/**
 * How much work a JSON value is to look at: one for every value in it, and more for long texts and names.
 * Stops counting at the limit.
 *
 * @returns Infinity beyond the limit, for what is nested deeper than 32 levels, and for a name that is not
 * well-formed Unicode, which cannot be written as a pointer
 */
export function measureCost(json: unknown, limit: number): number {
  let weight = 0;
  const open: [value: unknown, depth: number][] = [[json, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    weight += 1 + (typeof value === 'string' ? measureTextCost(value) : 0);
    if (weight > limit || depth > MAX_DEPTH) return Infinity;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      if (!name.isWellFormed()) return Infinity;
      weight += measureTextCost(name);
      open.push([child, depth + 1]);
    }
  }
  return weight;
}
