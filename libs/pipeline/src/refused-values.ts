import { StoreError } from '@touchstone/store';

/**
 * Classes 22 and 23 of SQLSTATE: a value that cannot be stored, such as a number out of range or a character that text
 * cannot hold, and one that a table does not allow. Trying again does not help.
 */
function isRefusedValue(error: unknown): error is StoreError {
  return error instanceof StoreError && /^2[23]/.test(error.code ?? '');
}

/** Work on several items in one call, which answers with any number of results. */
type Work<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Does work on a batch in one call. Where the database refuses a value in it, the batch is halved until the item with
 * that value stands alone, which is refused; so no item keeps the others from being worked on.
 *
 * @param refuse told of each item that is left out, and why
 * @returns the results of all calls that succeeded
 * @throws whatever else the work fails with, at once
 */
export async function withoutRefused<Item, Result>(
  items: readonly Item[],
  work: Work<Item, Result>,
  refuse: (item: Item, reason: string) => void,
): Promise<readonly Result[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    return await work(items);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    if (items.length === 1) {
      refuse(first, error.message);
      return [];
    }
    const half = Math.ceil(items.length / 2);
    const done = await withoutRefused(items.slice(0, half), work, refuse);
    return [...done, ...(await withoutRefused(items.slice(half), work, refuse))];
  }
}
