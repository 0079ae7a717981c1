import type { PaymentState } from '../ledger/journal.ts';
import type { LedgerPayment } from '../ledger/ledger.ts';

/** State of a payment that the chain shows, and its transaction. */
export interface TracedState {
  readonly state: PaymentState;
  readonly transaction: string | null;
}

/** Asks for the state of a payment. Resolves to null if the state cannot be read. */
export type Trace = (payment: LedgerPayment) => Promise<TracedState | null>;

/** Authorization whose state can be read from an EVM network. */
export interface TracedAuthorization {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  /** 32 bytes in hex (EIP-3009), or decimal digits (Permit2). */
  readonly nonce: string;
  /** End of the authorization, in milliseconds since 1970; null if the authorization does not end. */
  readonly validBefore: number | null;
}

/** Returns the authorization of a payment; null if its state cannot be read. */
export function toAuthorization({ entry, validBefore }: LedgerPayment): TracedAuthorization | null {
  const { network, asset, payer, nonce } = entry;
  if (payer === null || nonce === null || !network.startsWith('eip155:')) return null;
  return { network, asset, payer, nonce, validBefore };
}
