import { AsyncLocalStorage } from 'node:async_hooks';
import type { PageEntry } from './page-cache.ts';

/** Use of an entry of the page cache in a response. */
export interface EntryUse {
  readonly key: string;
  readonly entry: PageEntry;
}

const collectors = new AsyncLocalStorage<EntryUse[]>();

/** Runs a function and collects every entry that it reads or stores, also asynchronously, in the given array. */
export function collectEntryUses<Result>(uses: EntryUse[], run: () => Result): Result {
  return collectors.run(uses, run);
}

/** Adds an entry to the collection of the current request. Without a collection, it does nothing. */
export function addEntryUse(use: EntryUse): void {
  collectors.getStore()?.push(use);
}
