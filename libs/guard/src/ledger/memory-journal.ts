import { DAY_MS, formatDecimal } from '@touchstone/common';
import type { Journal, JournalEntry } from './journal.ts';
import { Ledger } from './ledger.ts';
import { MAX_MEMORY_SECONDS } from './limit-policy.ts';
import { createMutex } from './mutex.ts';

const KEPT_MS = MAX_MEMORY_SECONDS * 1_000;

/**
 * Creates a journal that ends with the process. Several guards of the process can share the journal. Entries are kept
 * for 7 days; the sum of older payments is kept without limit.
 */
export function createMemoryJournal(): Journal {
  const ledger = new Ledger();
  let entries: JournalEntry[] = [];
  let dropped = 0;

  const drop = (now: number): void => {
    const [first] = entries;
    // The list is shortened once a day at most, because each time all entries are copied.
    if (first === undefined || Date.parse(first.at) > now - KEPT_MS - DAY_MS) return;
    const count = entries.findIndex(({ at }) => Date.parse(at) > now - KEPT_MS);
    ledger.prune(now);
    entries = entries.slice(count);
    dropped += count;
  };
  const readAll = (): JournalEntry[] => {
    const [first] = entries;
    if (dropped === 0 || first === undefined) return entries;
    return [{ kind: 'carried', at: first.at, signedUsd: formatDecimal(ledger.forgottenUsd) }, ...entries];
  };
  return {
    exclusive: createMutex(),
    read: (position) =>
      Promise.resolve({
        entries: position < dropped || position === 0 ? readAll() : entries.slice(position - dropped),
        position: dropped + entries.length,
      }),
    append: (added) => {
      for (const entry of added) {
        entries.push(entry);
        ledger.add(entry);
        drop(Date.parse(entry.at));
      }
      return Promise.resolve();
    },
  };
}
