import { DAY_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDraft, createResponse, createStatus, START_MS } from '../testing/payments.ts';
import type { Journal, PaymentEntry } from './journal.ts';
import { JournalLedger } from './ledger.ts';
import { DEFAULT_LIMITS } from './limit-policy.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { reserve } from './reserve.ts';

const CENT_MICROS = 10_000;
const BUDGET_MICROS = { host: 3 * CENT_MICROS, day: 5 * CENT_MICROS, total: 8 * CENT_MICROS };
const POLICY = {
  ...DEFAULT_LIMITS,
  ...{ maxHostUsdPerDay: '0.03', maxUsdPerDay: '0.05', maxUsdTotal: '0.08', maxPaymentsPerDay: 4 },
  maxUndelivered: null,
};

type Step =
  | {
      readonly kind: 'pay';
      readonly guard: number;
      readonly request: number;
      readonly host: string;
      readonly micros: number;
    }
  | { readonly kind: 'respond'; readonly index: number; readonly httpStatus: number | null }
  | { readonly kind: 'expire'; readonly index: number }
  | { readonly kind: 'wait'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      guard: fc.nat({ max: 2 }),
      request: fc.nat({ max: 3 }),
      host: fc.constantFrom('a.example', 'b.example'),
      micros: fc.integer({ min: 1, max: 2 * CENT_MICROS }),
    }),
  },
  fc.record({
    kind: fc.constant('respond' as const),
    index: fc.nat({ max: 20 }),
    httpStatus: fc.constantFrom(200, 402, 500, null),
  }),
  fc.record({ kind: fc.constant('expire' as const), index: fc.nat({ max: 20 }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(30, 301, 3_700, 90_000) }),
);

/** World of several guards that share a journal whose calls end in any order. */
class World {
  seconds = 0;
  readonly journal: Journal;
  readonly ledgers: readonly JournalLedger[];
  /** Signed payments that left, with the state of their authorizations on the chain. */
  readonly #sent = new Map<string, { readonly entry: PaymentEntry; isVoid: boolean; isDelivered: boolean }>();

  constructor(scheduler: fc.Scheduler) {
    const memory = createMemoryJournal();
    const later = async <T>(call: () => Promise<T>): Promise<T> => {
      await scheduler.schedule(Promise.resolve());
      return call();
    };
    this.journal = {
      exclusive: memory.exclusive,
      read: (position) => later(() => memory.read(position)),
      append: (entries) => {
        for (const entry of entries) {
          if (entry.kind === 'payment')
            this.#sent.set(entry.id, { entry, isVoid: false, isDelivered: false });
        }
        return later(() => memory.append(entries));
      },
    };
    this.ledgers = [0, 1, 2].map(() => new JournalLedger(this.journal));
  }

  readonly now = (): number => START_MS + this.seconds * 1_000;

  async run(action: Step): Promise<void> {
    if (action.kind === 'wait') this.seconds += action.seconds;
    else if (action.kind === 'pay') await this.#pay(action);
    else await this.#change(action);
    this.expectLimits();
  }

  async #pay({ guard, request, host, micros }: Extract<Step, { kind: 'pay' }>): Promise<void> {
    const ledger = this.ledgers[guard];
    if (ledger === undefined) return;
    const draft = createDraft({
      ...{ request: `${request}`, resource: `https://${host}/`, header: `${micros}` },
      ...{ signedUsd: (micros / 1e6).toFixed(6), validBefore: new Date(this.now() + 300_000).toISOString() },
    });
    const result = await reserve(ledger, draft, { policy: POLICY, now: this.now });
    if (result.kind === 'resend') expect(this.#sent.get(result.id)?.entry.header).toBe(result.header);
  }

  async #change(action: Extract<Step, { kind: 'respond' | 'expire' }>): Promise<void> {
    const [id, payment] = [...this.#sent][action.index] ?? [];
    if (id === undefined || payment === undefined) return;
    if (action.kind === 'respond') {
      payment.isDelivered ||= action.httpStatus === 200;
      await this.journal.append([createResponse(id, this.seconds, action.httpStatus)]);
    } else if (!payment.isDelivered && Date.parse(payment.entry.validBefore ?? '') <= this.now()) {
      payment.isVoid = true;
      await this.journal.append([createStatus(id, this.seconds, 'expired')]);
    }
  }

  /** Computes the sums from the sent payments alone. */
  expectLimits(): void {
    const counted = [...this.#sent.values()].filter(({ isVoid }) => !isVoid);
    const day = counted.filter(({ entry }) => Date.parse(entry.at) > this.now() - DAY_MS);
    expect(sum(counted)).toBeLessThanOrEqual(BUDGET_MICROS.total);
    expect(sum(day)).toBeLessThanOrEqual(BUDGET_MICROS.day);
    expect(day.length).toBeLessThanOrEqual(4);
    for (const host of ['a.example', 'b.example']) {
      const toHost = day.filter(({ entry }) => entry.resource.includes(host));
      expect(sum(toHost)).toBeLessThanOrEqual(BUDGET_MICROS.host);
    }
    const live = counted.filter(
      ({ entry, isDelivered }) => !isDelivered && Date.parse(entry.validBefore ?? '') > this.now(),
    );
    expect(new Set(live.map(({ entry }) => entry.request)).size).toBe(live.length);
  }
}

function sum(payments: readonly { readonly entry: PaymentEntry }[]): number {
  return payments.reduce((total, { entry }) => total + Math.round(Number(entry.signedUsd) * 1e6), 0);
}

describe('reserve, by several guards at the same time', () => {
  it('exceeds no limit, and leaves at most one usable authorization per request', async () => {
    const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), groups, async (scheduler, steps) => {
        const world = new World(scheduler);
        for (const group of steps) {
          const running = Promise.all(group.map((action) => world.run(action)));
          await scheduler.waitFor(running);
        }
      }),
    );
  });
});
