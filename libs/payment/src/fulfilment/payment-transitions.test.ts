import { DAY_MS } from '@touchstone/common';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import {
  auditPayment,
  claimPayment,
  connect,
  failPayment,
  findPayment,
  prunePayments,
  refusePayment,
  releasePayment,
  settlePayment,
  storePaymentResult,
  type Db,
  type PaymentClaim,
} from '@touchstone/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAYMENT_STATES, type PaymentState } from './payment-states.ts';

const T0 = Date.parse('2026-11-01T00:00:00Z');
const LEASE_SECONDS = 30;
/** Time after the end of each lease. */
const LATER = T0 + 60_000;

let db: Db;
let close: () => Promise<unknown>;
beforeAll(async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
  close = () => database.close();
});
afterAll(() => close());

let payments = 0;
/** Returns the claim of a new payment of a new payer. */
const createClaim = (): PaymentClaim => {
  payments += 1;
  return {
    network: 'eip155:8453',
    asset: '0xusdc',
    payer: `0xpayer${payments}`,
    nonce: `0x${payments}`,
    route: 'POST /v1/x402-trust',
    requestHash: 'request',
    paymentHash: 'payment',
    secretHash: 'secret',
    resource: 'https://api.example.com/',
    payTo: '0xseller',
    amount: 5_000n,
    validBefore: T0 + 300_000,
    owner: 'first',
  };
};
const other = (payment: PaymentClaim): PaymentClaim => ({ ...payment, owner: 'second' });

/** Call of a database function that may change the state of a payment. */
type Step = (payment: PaymentClaim) => Promise<unknown>;

const claimAt = (payment: PaymentClaim, now: number) =>
  claimPayment(db, payment, { now, leaseSeconds: LEASE_SECONDS });
const audit = (payment: PaymentClaim, transaction: string | null) =>
  auditPayment(db, payment, { transaction, now: LATER });
const result = { result: '{}', now: T0, leaseSeconds: LEASE_SECONDS };
const settlement = { transaction: '0xhash', receipt: 'receipt', now: T0 };

const STEPS = {
  claim: (payment) => claimAt(other(payment), LATER),
  claimWhileLeased: (payment) => claimAt(other(payment), T0),
  claimPaid: (payment) =>
    claimPayment(db, other(payment), { now: LATER, leaseSeconds: LEASE_SECONDS, paidBy: '0xhash' }),
  storeResult: (payment) => storePaymentResult(db, payment, result),
  release: (payment) => releasePayment(db, payment, T0),
  settle: (payment) => settlePayment(db, payment, { ...settlement, audited: false }),
  settleAudited: (payment) => settlePayment(db, payment, { ...settlement, audited: true }),
  refuse: (payment) => refusePayment(db, payment, T0),
  fail: (payment) => failPayment(db, payment, { refused: false, now: LATER }),
  auditPaid: (payment) => audit(payment, '0xhash'),
  auditUnpaid: (payment) => audit(payment, null),
  prune: async (payment) => {
    await audit(payment, (await readState(payment)) === 'settled' ? '0xhash' : null);
    await prunePayments(db, { now: T0 + 9 * DAY_MS, limit: 1_000 });
  },
  storeResultAfterLeaseLost: (payment) => storePaymentResult(db, other(payment), result),
  releaseAfterLeaseLost: (payment) => releasePayment(db, other(payment), T0),
  refuseAfterLeaseLost: (payment) => refusePayment(db, other(payment), T0),
} as const satisfies Record<string, Step>;
type StepName = keyof typeof STEPS;

const RELEASED = ['release'] as const;
/** Database calls that cause the transition of each event. */
const TRANSITIONS: {
  readonly [State in PaymentState]: Readonly<
    Record<keyof (typeof PAYMENT_STATES)[State]['events'], readonly StepName[]>
  >;
} = {
  absent: { claimed: ['claim', 'claimWhileLeased', 'claimPaid'] },
  working: {
    claimed: ['claim', 'claimPaid'],
    'verification-refused': RELEASED,
    'verification-failed': RELEASED,
    'balance-too-low': RELEASED,
    'balance-unreadable': RELEASED,
    'work-refused': RELEASED,
    'work-failed': RELEASED,
    'result-not-stored': RELEASED,
    'result-stored': ['storeResult'],
    'chain-paid': ['auditPaid'],
    'chain-unpaid': ['auditUnpaid'],
    pruned: ['prune'],
  },
  settling: {
    resumed: ['claim', 'claimPaid'],
    settled: ['settle'],
    'settlement-refused': ['refuse'],
    'settlement-unknown': RELEASED,
    'result-unreadable': RELEASED,
    'chain-paid': ['settleAudited'],
    'chain-unpaid': ['fail'],
  },
  settled: { 'result-unreadable': [], 'chain-paid': ['auditPaid'], 'chain-unpaid': ['auditUnpaid'] },
  failed: {
    claimed: ['claim', 'claimWhileLeased'],
    resumed: ['claimPaid'],
    'chain-paid': ['settle', 'settleAudited'],
    'chain-unpaid': ['auditUnpaid'],
    pruned: ['prune'],
  },
  disputed: {},
};

/** Steps that bring a new payment into each state. */
const PATHS: Readonly<Record<PaymentState, readonly Step[]>> = (() => {
  const working: readonly Step[] = [(payment) => claimAt(payment, T0)];
  const settling = [...working, STEPS.storeResult];
  const settled = [...settling, STEPS.settle];
  const failed = [...settling, STEPS.refuse];
  return { absent: [], working, settling, settled, failed, disputed: [...settled, STEPS.auditUnpaid] };
})();

const readState = async (payment: PaymentClaim): Promise<PaymentState> =>
  (await findPayment(db, payment))?.state ?? 'absent';

const createPaymentIn = async (state: PaymentState): Promise<PaymentClaim> => {
  const payment = createClaim();
  for (const step of PATHS[state]) await step(payment);
  expect(await readState(payment)).toBe(state);
  return payment;
};

const states = Object.keys(PATHS) as PaymentState[];
const steps = Object.keys(STEPS) as StepName[];

describe.each(states)('a payment in the state %s', (state) => {
  const { events, whileLeased, afterLease } = PAYMENT_STATES[state];
  const transitions: Readonly<Record<string, readonly StepName[]>> = TRANSITIONS[state];

  test.each(steps)('changes as the table says: %s', async (name) => {
    const payment = await createPaymentIn(state);
    // `settlePayment` rejects if there is nothing to settle.
    await STEPS[name](payment).catch(() => undefined);
    const next = await readState(payment);
    const made = Object.entries<{ readonly next: PaymentState }>(events).filter(([event]) =>
      transitions[event]?.includes(name),
    );
    if (made.length === 0) expect(next).toBe(state);
    for (const [event, transition] of made) expect([event, transition.next]).toEqual([event, next]);
  });

  test('is treated by a repeated request as the database function treats it', async () => {
    const TREATMENTS = { claimed: 'verify', busy: 'wait', resumed: 'settle', settled: 'replay' };
    const claimAgain = async (now: number) => {
      const { outcome } = await claimAt(other(await createPaymentIn(state)), now);
      return { ...TREATMENTS, outdated: null, other: null, limited: null }[outcome];
    };
    expect([await claimAgain(T0), await claimAgain(LATER)]).toEqual([whileLeased, afterLease]);
  });
});

test('a payment with an earlier refusal is released as failed, which is handled like an absent payment', async () => {
  const payment = await createPaymentIn('failed');
  await claimAt(payment, T0);
  expect(await readState(payment)).toBe('working');
  await STEPS.release(payment);
  expect(await readState(payment)).toBe('failed');
  const withoutEvents = ({
    isNotCharged,
    whileLeased,
    afterLease,
  }: (typeof PAYMENT_STATES)[PaymentState]) => ({
    isNotCharged,
    whileLeased,
    afterLease,
  });
  expect(withoutEvents(PAYMENT_STATES.failed)).toEqual(withoutEvents(PAYMENT_STATES.absent));
});
