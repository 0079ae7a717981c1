import type { JournalEntry, PaymentEntry, RefusalEntry } from '@touchstone/guard';
import { NETWORK, SELLER_WALLET, USDC } from '../../testing/seller.ts';

const TERMS: Omit<RefusalEntry, 'kind'> = {
  at: '2026-06-01T10:00:00.000Z',
  ...{ request: null, method: 'GET', resource: 'https://api.example.com/v1/weather' },
  ...{ scheme: 'exact', network: NETWORK, asset: USDC, payTo: SELLER_WALLET },
  ...{ amount: '10000', amountUsd: '0.010000', action: 'pay', reasons: [] },
};

/** Creates the entry of a payment of one cent in USDC on Base. */
export function createPaymentEntry(id: string, change: Partial<PaymentEntry> = {}): PaymentEntry {
  return {
    ...TERMS,
    kind: 'payment',
    ...{ id, signedAmount: '10000', signedUsd: '0.010000' },
    ...{ payer: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1', nonce: `0x${'7b'.repeat(32)}` },
    ...{ validBefore: '2026-06-01T10:01:00.000Z', endpoint: TERMS.resource, isUnknownHost: false },
    ...{ header: 'signed', challenge: null },
    ...change,
  };
}

export function createRefusalEntry(change: Partial<RefusalEntry> = {}): RefusalEntry {
  const reasons = [{ code: 'max-price', action: 'abort', message: 'The price is $2.00, above $1.' }] as const;
  return { ...TERMS, kind: 'refusal', action: 'abort', reasons, ...change };
}

/** Creates the entry of a response with a body. */
export function createResponseEntry(
  id: string,
  change: Partial<Extract<JournalEntry, { readonly kind: 'response' }>> = {},
): JournalEntry {
  const at = '2026-06-01T10:00:01.000Z';
  return { kind: 'response', at, id, httpStatus: 200, delivered: true, transaction: null, ...change };
}

/** Creates the entry of the state of a payment on the chain. */
export function createStatusEntry(
  id: string,
  state: Extract<JournalEntry, { readonly kind: 'status' }>['state'],
  transaction: string | null = null,
): JournalEntry {
  return { kind: 'status', at: '2026-06-01T10:05:00.000Z', id, state, transaction };
}
