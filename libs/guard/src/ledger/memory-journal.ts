import { DAY_MS, formatDecimal, formatTimestamp } from '@touchstone/common';
import type { Journal, JournalEntry } from './journal.ts';
import { KEPT_MS, Ledger } from './ledger.ts';
import { createMutex } from './mutex.ts';

/**
 * Creates a journal that ends with the process. Several guards of the process can share the journal. Refusals are kept for
 * a day, and other entries for 7 days; the sum of older payments is kept without limit. A payment that cannot be sent
 * again is kept without its header and challenge.
 */
export function createMemoryJournal(): Journal {
  const entries = new KeptEntries();
  return {
    exclusive: createMutex(),
    read: (position) => Promise.resolve(entries.read(position)),
    append: (added) => {
      for (const entry of added) entries.add(entry);
      return Promise.resolve();
    },
  };
}

class KeptEntries {
  readonly #ledger = new Ledger();
  #carried: readonly JournalEntry[] = [];
  #entries: JournalEntry[] = [];
  #removed = 0;
  /** Position at the latest removal. A reader of an earlier position reads all entries again. */
  #start = 0;
  #removedAt: number | null = null;

  get #end(): number {
    return this.#removed + this.#entries.length;
  }

  read(position: number): Awaited<ReturnType<Journal['read']>> {
    const entries =
      position < this.#start
        ? [...this.#carried, ...this.#entries]
        : this.#entries.slice(position - this.#removed);
    return { entries, position: this.#end };
  }

  add(entry: JournalEntry): void {
    this.#removeOld(Date.parse(entry.at));
    this.#entries.push(entry);
    this.#ledger.add(entry);
    if ('id' in entry) this.#shorten(entry.id);
  }

  /** Replaces a payment by the payment without header and challenge, if the ledger no longer needs them. */
  #shorten(id: string): void {
    const payment = this.#ledger.get(id)?.entry;
    if (payment?.header !== '') return;
    const index = this.#entries.findLastIndex((entry) => entry.kind === 'payment' && entry.id === id);
    if (index !== -1) this.#entries[index] = payment;
  }

  /** Removes old entries, once a day at most, because each removal copies all entries. */
  #removeOld(now: number): void {
    this.#removedAt ??= now;
    if (now - this.#removedAt < DAY_MS) return;
    const isRecent = ({ at }: JournalEntry, ageMs: number): boolean => Date.parse(at) > now - ageMs;
    const first = this.#entries.findIndex((entry) => entry.kind === 'payment' && isRecent(entry, KEPT_MS));
    const kept = this.#entries.filter((entry, index) =>
      entry.kind === 'refusal' ? isRecent(entry, DAY_MS) : first !== -1 && index >= first,
    );
    this.#ledger.prune(now);
    this.#carried = [
      { kind: 'carried', at: formatTimestamp(now), signedUsd: formatDecimal(this.#ledger.forgottenUsd) },
    ];
    this.#start = this.#end;
    this.#removed = this.#start - kept.length;
    this.#entries = kept;
    this.#removedAt = now;
  }
}
