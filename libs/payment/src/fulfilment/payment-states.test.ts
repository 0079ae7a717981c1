import { describe, expect, test } from 'vitest';
import { PAYMENT_STATES, type PaymentState } from './payment-states.ts';

interface Row {
  readonly isNotCharged: boolean;
  readonly afterLease: string;
  readonly events: Readonly<
    Record<string, { readonly next: PaymentState; readonly response: string | null }>
  >;
}
const rows = Object.entries(PAYMENT_STATES) as [PaymentState, Row][];

describe.each(rows)('the state %s', (state, { isNotCharged, afterLease, events }) => {
  test('is verified again exactly when no settlement can have begun', () => {
    expect(afterLease === 'verify').toBe(isNotCharged || state === 'working');
  });

  test('responds with a result only after the settlement, and with a refusal only when nothing was charged', () => {
    for (const { next, response } of Object.values(events)) {
      if (response === 'result') expect(next).toBe('settled');
      if (response === 'refused' || response === 'problem')
        expect(PAYMENT_STATES[next].isNotCharged).toBe(true);
    }
  });

  test('never changes from settled or disputed to a state in which nothing was charged', () => {
    if (state !== 'settled' && state !== 'disputed') return;
    for (const { next } of Object.values(events)) expect(PAYMENT_STATES[next].isNotCharged).toBe(false);
  });
});

test('every state can be reached', () => {
  const reached = new Set(rows.flatMap(([, { events }]) => Object.values(events).map(({ next }) => next)));
  expect([...reached].toSorted()).toEqual(Object.keys(PAYMENT_STATES).toSorted());
});
