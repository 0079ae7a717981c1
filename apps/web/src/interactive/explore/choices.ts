/**
 * Value that a filter offers, with the number of endpoints that match if the filter has only this value. The number is
 * null if it was not counted.
 */
export interface Choice {
  readonly value: string;
  readonly endpoints: number | null;
}

/** Numbers of endpoints by value. Values without an endpoint are left out. */
export type Counts = Readonly<Partial<Record<string, number | null>>>;

/** Returns the number of endpoints of a value; null if it was not counted. */
export function getCount(counts: Counts | undefined, value: string): number | null {
  if (counts === undefined || isUncounted(counts)) return null;
  return Object.hasOwn(counts, value) ? (counts[value] ?? 0) : 0;
}

/** Returns true if the endpoints of a filter were not counted: its values then have no numbers. */
function isUncounted(counts: Counts): boolean {
  return Object.values(counts).includes(null);
}

/**
 * Lists the values of a filter, the most frequent first; alphabetically if they were not counted. Chosen values without
 * an endpoint are added at the end, so that the visitor can remove them.
 */
export function listChoices(counts: Counts, chosen: readonly string[]): readonly Choice[] {
  const found = Object.entries(counts)
    .map(([value, endpoints = null]) => ({ value, endpoints }))
    .sort(
      (one, other) => (other.endpoints ?? 0) - (one.endpoints ?? 0) || (one.value < other.value ? -1 : 1),
    );
  const missing = chosen.filter((value) => !Object.hasOwn(counts, value));
  return [...found, ...missing.map((value) => ({ value, endpoints: getCount(counts, value) }))];
}
