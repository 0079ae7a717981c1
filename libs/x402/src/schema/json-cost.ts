/** Length of text that adds 1 to the cost, in UTF-16 units. */
const UNITS_PER_COST = 128;
const MAX_DEPTH = 32;

export function measureTextCost(text: string): number {
  return Math.floor(text.length / UNITS_PER_COST);
}

/**
 * Returns the cost of processing a JSON value: 1 for each value at any level, plus 1 for every 128 UTF-16 units of a
 * text or member name. Stops counting at the limit.
 *
 * @returns Infinity for a cost beyond the limit, for nesting deeper than 32 levels, and for a member name that is not
 * well-formed Unicode, because no JSON pointer can contain such a name
 */
export function measureCost(json: unknown, limit: number): number {
  let cost = 0;
  const open: [value: unknown, depth: number][] = [[json, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    cost += 1 + (typeof value === 'string' ? measureTextCost(value) : 0);
    if (cost > limit || depth > MAX_DEPTH) return Infinity;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      if (!name.isWellFormed()) return Infinity;
      cost += measureTextCost(name);
      open.push([child, depth + 1]);
    }
  }
  return cost;
}
