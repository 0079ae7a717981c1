import { formatDecimal } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  createDraft,
  createPayment,
  createResponse,
  createStatus,
  START_MS,
  toTime,
} from '../testing/payments.ts';
import type { JournalEntry } from './journal.ts';
import { JournalLedger, Ledger } from './ledger.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { readSpending } from './spending.ts';

const DAY_SECONDS = 86_400;

function create(entries: readonly JournalEntry[]): Ledger {
  const ledger = new Ledger();
  for (const entry of entries) ledger.add(entry);
  return ledger;
}

const toMs = (seconds: number): number => START_MS + seconds * 1_000;

describe('Ledger', () => {
  it('forgets payments after 7 days, and keeps their sum without the expired ones', () => {
    const ledger = create([
      createPayment('a', 0),
      createPayment('b', 0),
      createStatus('b', 400, 'expired'),
      createPayment('c', 1, { request: 'other' }),
    ]);
    ledger.prune(toMs(7 * DAY_SECONDS));
    expect([...ledger.payments].map(({ entry }) => entry.id)).toEqual(['c']);
    expect(ledger.listByRequest('request')).toEqual([]);
    expect(ledger.listByRequest('other')).toHaveLength(1);
    expect(formatDecimal(ledger.forgottenUsd)).toBe('0.01');
    expect(formatDecimal(ledger.totalUsd)).toBe('0.02');
  });

  it('adds amounts with different decimals exactly', () => {
    const entries = [
      createPayment('a', 0, { signedUsd: '0.1' }),
      createPayment('b', 0, { signedUsd: '0.200000000000000001' }),
    ];
    expect(formatDecimal(create(entries).totalUsd)).toBe('0.300000000000000001');
  });

  it('keeps the header only of payments that may be sent again', () => {
    const ledger = create([
      ...[createPayment('a', 0, { challenge: '{}' }), createPayment('b', 0, { challenge: '{}' })],
      createResponse('b', 1, 200),
    ]);
    expect(ledger.get('a')?.entry).toMatchObject({ header: 'header of a', challenge: '{}' });
    expect(ledger.get('b')?.entry).toMatchObject({ header: '', challenge: null });
  });

  it('counts both of two payments with one id', () => {
    const ledger = create([createPayment('a', 0), createPayment('a', 1)]);
    expect(ledger.listLastDay(toMs(2))).toHaveLength(2);
    expect([...ledger.payments]).toHaveLength(2);
  });

  it('ignores an entry about an unknown payment', () => {
    expect([...create([createResponse('a', 1, 200)]).payments]).toEqual([]);
  });

  it('prefers the transaction that the chain names', () => {
    const ledger = create([
      createPayment('a', 0),
      createResponse('a', 1, 200),
      createStatus('a', 2, 'settled'),
    ]);
    expect(ledger.get('a')).toMatchObject({ transaction: '0xchaina', state: 'settled', httpStatus: 200 });
  });
});

describe('JournalLedger', () => {
  it('reads each entry once when several calls read at the same time', async () => {
    const journal = createMemoryJournal();
    const state = new JournalLedger(journal);
    await journal.append([createPayment('a', 0)]);
    await Promise.all([state.refresh(toMs(1)), state.refresh(toMs(1))]);
    await journal.append([createPayment('b', 1)]);
    expect(formatDecimal((await state.refresh(toMs(1))).totalUsd)).toBe('0.02');
  });

  it('reads again after an error of the journal', async () => {
    const journal = createMemoryJournal();
    await journal.append([createPayment('a', 0)]);
    let isBroken = true;
    const state = new JournalLedger({
      ...journal,
      read: (position) => (isBroken ? Promise.reject(new Error('Broken.')) : journal.read(position)),
    });
    await expect(state.refresh(toMs(1))).rejects.toThrow('Broken.');
    isBroken = false;
    expect([...(await state.refresh(toMs(1))).payments]).toHaveLength(1);
  });
});

describe('createMemoryJournal', () => {
  it('forgets entries after 8 days, and tells new and late readers the sum of the payments', async () => {
    const journal = createMemoryJournal();
    const late = new JournalLedger(journal);
    await journal.append([createPayment('a', 0)]);
    await late.refresh(toMs(0));
    await journal.append([createResponse('a', 1, 200)]);
    await journal.append([createPayment('b', 2 * DAY_SECONDS)]);
    const current = new JournalLedger(journal);
    await current.refresh(toMs(2 * DAY_SECONDS));
    const now = 8 * DAY_SECONDS + 1;
    await journal.append([createPayment('c', now)]);
    const { entries } = await journal.read(0);
    expect(entries.map(({ kind }) => kind)).toEqual(['carried', 'payment', 'payment']);
    for (const state of [late, current, new JournalLedger(journal)]) {
      const ledger = await state.refresh(toMs(now));
      expect(formatDecimal(ledger.totalUsd)).toBe('0.03');
      expect(ledger.get('b')).not.toBeNull();
    }
  });

  it('keeps the header only of payments that may be sent again', async () => {
    const journal = createMemoryJournal();
    const header = { header: 'header', challenge: '{}' };
    await journal.append([...['a', 'b', 'c'].map((id) => createPayment(id, 0, header))]);
    await journal.append([createResponse('a', 1, 402), createResponse('b', 1, 200)]);
    await journal.append([createStatus('c', 400, 'expired')]);
    const { entries } = await journal.read(0);
    expect(entries.slice(0, 3)).toMatchObject([
      { id: 'a', ...header },
      { id: 'b', header: '', challenge: null },
      { id: 'c', header: '', challenge: null },
    ]);
  });

  it('keeps refusals for 2 days at most, and entries for readers of later positions', async () => {
    const journal = createMemoryJournal();
    const refuse = (seconds: number): JournalEntry => {
      const { resource, reasons, ...draft } = createDraft();
      return { ...draft, resource, reasons, kind: 'refusal', action: 'abort', at: toTime(seconds) };
    };
    await journal.append([createPayment('a', 0), refuse(0), refuse(DAY_SECONDS)]);
    const { position } = await journal.read(0);
    await journal.append([refuse(DAY_SECONDS + 1)]);
    const format = async (from: number) =>
      (await journal.read(from)).entries.map(({ kind, at }) => `${kind} ${at}`);
    expect(await format(position)).toEqual([`refusal ${toTime(DAY_SECONDS + 1)}`]);
    expect(await format(0)).toEqual([
      `carried ${toTime(DAY_SECONDS)}`,
      `payment ${toTime(0)}`,
      `refusal ${toTime(DAY_SECONDS)}`,
      `refusal ${toTime(DAY_SECONDS + 1)}`,
    ]);
  });
});

describe('readSpending', () => {
  it('sums the payments that count by host and day, as the budgets do', async () => {
    const journal = createMemoryJournal();
    await journal.append([
      ...[createPayment('a', 0), createResponse('a', 1, 200)],
      createPayment('b', 60, { signedUsd: '0.05', resource: 'https://other.example/' }),
      ...[createPayment('c', 70), createStatus('c', 400, 'expired')],
      createPayment('d', DAY_SECONDS, { signedUsd: null }),
    ]);
    expect(await readSpending(journal, Date.parse(toTime(DAY_SECONDS)))).toEqual({
      totalUsd: '0.06',
      lastDay: { name: 'last 24 hours', payments: 2, delivered: 0, usd: '0.05', unpriced: 1 },
      hosts: [
        { name: 'seller.example', payments: 2, delivered: 1, usd: '0.01', unpriced: 1 },
        { name: 'other.example', payments: 1, delivered: 0, usd: '0.05', unpriced: 0 },
      ],
      days: [
        { name: '2026-06-01', payments: 2, delivered: 1, usd: '0.06', unpriced: 0 },
        { name: '2026-06-02', payments: 1, delivered: 0, usd: '0', unpriced: 1 },
      ],
    });
  });
});
