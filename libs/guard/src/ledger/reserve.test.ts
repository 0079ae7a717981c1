import { describe, expect, it } from 'vitest';
import { createDraft, createPayment, createResponse, START_MS } from '../testing/payments.ts';
import type { Journal, JournalEntry, PaymentState } from './journal.ts';
import { JournalLedger } from './ledger.ts';
import { DEFAULT_LIMITS, type LimitPolicy } from './limit-policy.ts';
import { createMemoryJournal } from './memory-journal.ts';
import type { PaymentDraft } from './limits.ts';
import { reserve, type ReserveOptions } from './reserve.ts';

class Clock {
  seconds = 0;
  readonly now = (): number => START_MS + this.seconds * 1_000;
}

function open(journal: Journal, policy: Partial<LimitPolicy> = {}) {
  const clock = new Clock();
  const ledger = new JournalLedger(journal);
  const options = { policy: { ...DEFAULT_LIMITS, ...policy }, now: clock.now };
  const pay = (draft: Partial<PaymentDraft> = {}, more: Partial<ReserveOptions> = {}) =>
    reserve(ledger, createDraft(draft), { ...options, ...more });
  return { clock, pay };
}

async function list(journal: Journal): Promise<readonly JournalEntry[]> {
  return (await journal.read(0)).entries;
}

describe('reserve', () => {
  it('appends the payment before it resolves, with the reasons of the limits', async () => {
    const journal = createMemoryJournal();
    const { pay } = open(journal);
    const first = await pay({ request: 'first' });
    if (first.kind !== 'send') throw new Error('The first payment was refused.');
    await journal.append([createResponse(first.id, 1, 500)]);
    const second = await pay({ request: 'second' });
    expect(second).toMatchObject({ kind: 'send', reasons: [{ code: 'undelivered', action: 'warn' }] });
    expect((await list(journal)).at(-1)).toMatchObject({
      ...{ kind: 'payment', request: 'second', action: 'warn', at: '2026-06-01T12:00:00.000Z' },
      reasons: [{ code: 'undelivered' }],
    });
  });

  it('appends a refusal with all reasons', async () => {
    const journal = createMemoryJournal();
    const { pay } = open(journal, { maxUsdPerDay: '0.005' });
    const warning = { code: 'unknown-endpoint', action: 'warn', message: 'Unknown.' } as const;
    const refused = await pay({ action: 'warn', reasons: [warning] });
    expect(refused).toMatchObject({ kind: 'refused', reasons: [warning, { code: 'day-budget' }] });
    expect(await list(journal)).toMatchObject([
      { kind: 'refusal', action: 'abort', resource: 'https://seller.example/data', reasons: [warning, {}] },
    ]);
    expect((await list(journal))[0]).not.toHaveProperty('header');
  });

  it('returns the earlier payment of the same request, and adds nothing to the budget', async () => {
    const journal = createMemoryJournal();
    const { pay } = open(journal, { maxUsdTotal: '0.01' });
    const first = await pay({ header: 'first' });
    if (first.kind !== 'send') throw new Error('The first payment was refused.');
    expect(await pay({ header: 'second' })).toEqual({ kind: 'resend', id: first.id, header: 'first' });
    expect((await list(journal)).map(({ kind }) => kind)).toEqual(['payment', 'resend']);
  });

  it('rejects if the journal cannot be written', async () => {
    const journal: Journal = {
      ...createMemoryJournal(),
      append: () => Promise.reject(new Error('The disk is full.')),
    };
    await expect(open(journal).pay()).rejects.toThrow('The disk is full.');
  });

  it.each<[PaymentState | 'unreachable', string]>([
    ['expired', 'send'],
    ['cancelled', 'send'],
    ['settled', 'resend'],
    ['open', 'refused'],
    ['unreachable', 'refused'],
  ])('asks for the state of an unclear payment: %s leads to %s', async (state, kind) => {
    const journal = createMemoryJournal();
    const { clock, pay } = open(journal);
    await pay();
    clock.seconds = 301;
    const result = await pay(
      {},
      {
        trace: async () => {
          // The journal is not locked meanwhile, so that other guards can pay.
          await journal.exclusive(() => Promise.resolve());
          if (state === 'unreachable') throw new Error('No connection.');
          return { state, transaction: null };
        },
      },
    );
    expect(result.kind).toBe(kind);
  });

  it('asks for payments that may have left the budget, before it refuses', async () => {
    const journal = createMemoryJournal();
    const { clock, pay } = open(journal, { maxUsdTotal: '0.01' });
    await pay({ request: null });
    clock.seconds = 301;
    const traced: (string | null)[] = [];
    const trace: ReserveOptions['trace'] = ({ entry }) => {
      traced.push(entry.nonce);
      return Promise.resolve({ state: 'expired', transaction: null });
    };
    expect((await pay({ request: null }, { trace })).kind).toBe('send');
    expect(traced).toHaveLength(1);
  });

  it('asks for older payments before it refuses by the total budget, and only then', async () => {
    const journal = createMemoryJournal();
    await journal.append([
      ...[createPayment('a', 0, { request: 'a' }), createResponse('a', 1, 402)],
      // Without a nonce, the chain cannot be asked.
      ...[createPayment('b', 0, { request: 'b', nonce: null }), createResponse('b', 1, 402)],
    ]);
    const traced: string[] = [];
    const trace: ReserveOptions['trace'] = ({ entry }) => {
      traced.push(entry.id);
      return Promise.resolve({ state: 'expired', transaction: null });
    };
    const { clock, pay } = open(journal);
    clock.seconds = 172_800;
    expect((await pay({}, { trace, policy: { ...DEFAULT_LIMITS, maxUsdPerDay: '0' } })).kind).toBe('refused');
    expect(traced).toEqual([]);
    const policy = { ...DEFAULT_LIMITS, maxUsdTotal: '0.02' };
    expect((await pay({}, { trace, policy })).kind).toBe('send');
    expect(traced).toEqual(['a']);
  });

  it('refuses a repeated request without asking for other payments', async () => {
    const journal = createMemoryJournal();
    const { clock, pay } = open(journal);
    await pay({ request: 'other' });
    clock.seconds = 301;
    const paid = await pay();
    if (paid.kind !== 'send') throw new Error('The payment was refused.');
    await journal.append([createResponse(paid.id, 301, 200)]);
    let calls = 0;
    const trace: ReserveOptions['trace'] = () => {
      calls += 1;
      return Promise.resolve(null);
    };
    const refused = await pay({}, { trace });
    expect(refused).toMatchObject({ kind: 'refused', reasons: [{ code: 'repeated-request' }] });
    expect(calls).toBe(0);
  });

  it('asks at most once in 10 seconds', async () => {
    const { clock, pay } = open(createMemoryJournal());
    let traces = 0;
    const trace: ReserveOptions['trace'] = () => {
      traces += 1;
      return Promise.resolve({ state: 'unknown', transaction: null });
    };
    await pay();
    for (clock.seconds = 301; clock.seconds < 321; clock.seconds += 1) await pay({}, { trace });
    expect(traces).toBe(2);
  });
});
