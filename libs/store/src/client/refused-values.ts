import { StoreError } from './client.ts';

/**
 * Returns true if the error says that the database refused a value: SQLSTATE class 22 (data exception, such as a number
 * out of range or a character that text cannot contain) or class 23 (integrity constraint violation). A retry with the
 * same value would fail again.
 */
export function isRefusedValue(error: unknown): error is StoreError {
  return error instanceof StoreError && /^2[23]/.test(error.code ?? '');
}

/** Function that processes several items in one call. The number of results can differ from the number of items. */
type Work<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Processes a batch of items in one call. When the call refuses the batch, the two halves of the batch are processed
 * separately, down to single items. A single refused item is skipped and does not block the other items.
 *
 * @param skipped.onRefused called for each skipped item with its error
 * @param skipped.isRefused returns true for an error that one of the items caused; default `isRefusedValue`
 * @returns the results of all successful calls
 * @throws any other error of `work`, immediately
 */
export async function skipRefusedItems<Item, Result>(
  items: readonly Item[],
  work: Work<Item, Result>,
  skipped: {
    readonly onRefused: (item: Item, error: Error) => void;
    readonly isRefused?: (error: unknown) => error is Error;
  },
): Promise<readonly Result[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    return await work(items);
  } catch (error) {
    const { onRefused, isRefused = isRefusedValue } = skipped;
    if (!isRefused(error)) throw error;
    if (items.length === 1) {
      onRefused(first, error);
      return [];
    }
    const half = Math.ceil(items.length / 2);
    const results = await skipRefusedItems(items.slice(0, half), work, skipped);
    return [...results, ...(await skipRefusedItems(items.slice(half), work, skipped))];
  }
}
