/**
 * Calls a function for each item, with at most `limit` calls at the same time. Returns the results in the order of the
 * items.
 */
export async function runAtOnce<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
