import type { JournalEntry, PaymentState } from '../ledger/journal.ts';
import type { PaymentDraft } from '../ledger/limits.ts';

/** Time of the first payment in tests, in milliseconds since 1970. */
export const START_MS = Date.parse('2026-06-01T12:00:00.000Z');

/** Returns the time `seconds` after `START_MS` as ISO 8601. */
export function toTime(seconds: number): string {
  return new Date(START_MS + seconds * 1_000).toISOString();
}

/** Creates a payment of one cent whose authorization ends 5 minutes after `START_MS`. */
export function createDraft(change: Partial<PaymentDraft> = {}): PaymentDraft {
  return {
    ...{ request: 'request', method: 'GET', resource: 'https://seller.example/data', scheme: 'exact' },
    ...{ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
    ...{ payTo: `0x${'Ab'.repeat(20)}`, amount: '10000', amountUsd: '0.01', action: 'pay', reasons: [] },
    ...{
      signedAmount: '10000',
      signedUsd: '0.01',
      payer: `0x${'12'.repeat(20)}`,
      nonce: `0x${'34'.repeat(32)}`,
    },
    ...{ validBefore: toTime(300), endpoint: null, isUnknownHost: false, header: 'header', challenge: null },
    ...change,
  };
}

/** Creates a payment entry. `seconds`: time after `START_MS`. */
export function createPayment(id: string, seconds: number, change: Partial<PaymentDraft> = {}): JournalEntry {
  return {
    kind: 'payment',
    id,
    at: toTime(seconds),
    ...createDraft({ header: `header of ${id}`, ...change }),
  };
}

/** Creates the entry of a response; `httpStatus` 200 is a delivery. */
export function createResponse(id: string, seconds: number, httpStatus: number | null): JournalEntry {
  return {
    ...{ kind: 'response', id, at: toTime(seconds), httpStatus },
    ...{ delivered: httpStatus === 200, transaction: httpStatus === 200 ? `0xtransaction${id}` : null },
  };
}

/** Creates the entry of a state that the chain named. */
export function createStatus(id: string, seconds: number, state: PaymentState): JournalEntry {
  return {
    kind: 'status',
    id,
    at: toTime(seconds),
    state,
    transaction: state === 'settled' ? `0xchain${id}` : null,
  };
}
