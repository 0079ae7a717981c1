/**
 * Returns the sum of each count of two results. A count that is missing in the other result is 0.
 *
 * @param one result whose members are all counts
 */
export function addCounts<Key extends string>(
  one: Readonly<Record<Key, number>>,
  other: { readonly [Name in NoInfer<Key>]?: number },
): Record<Key, number> {
  const total: Record<Key, number> = { ...one };
  for (const key in total) total[key] += other[key] ?? 0;
  return total;
}
