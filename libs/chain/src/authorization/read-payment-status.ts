import type { Hex } from 'viem';
import { findCanonicalUsdc } from '@touchstone/x402';
import { quantitySchema, type Receipt } from '../evm/logs.ts';
import { getConfirmations } from '../evm/read-evm-settlements.ts';
import type { Providers } from '../rpc/providers.ts';
import { listPayments, readReceipt, type SignedTransfer, type Source } from './list-payments.ts';
import { readFromOthers } from './read-authorization-state.ts';
import { type NonceReading, type Place, readNonce, readPlace, type SignedNonce } from './read-nonce.ts';

/** Payments to find on the chain. Addresses, nonces and transactions are lower case; times are in milliseconds. */
export interface PaymentStatusQuery {
  readonly by:
    | {
        readonly transaction: Hex;
        /** Payer whose payments are returned; null for the payments of all payers. */
        readonly payer: Hex | null;
      }
    | {
        readonly payer: Hex;
        readonly nonce: SignedNonce['nonce'];
        /** End of the authorization: `validBefore` (EIP-3009) or `deadline` (Permit2); null if it is not known. */
        readonly validBefore: number | null;
        /** Start of the search. */
        readonly since: number;
        /** End of the search; the last block by default. */
        readonly until?: number | undefined;
      };
  /** Token; by default the canonical USDC of the network. */
  readonly asset?: Hex | undefined;
  /** Number of confirmations; by default the number for the network. */
  readonly confirmations?: number | undefined;
  /** Maximum number of blocks in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number | undefined;
}

/** Payment on the chain. */
export interface ChainPayment extends SignedTransfer {
  readonly transaction: Hex;
  /** Address that sent the transaction. */
  readonly sender: Hex;
  readonly asset: Hex;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Reason of a state.
 *
 * - `settled`: `confirmed`, or `unconfirmed` when the block of the payments has fewer confirmations than requested.
 * - `open`: the authorization is `unused`, and may still be used; or its cancellation is `unconfirmed`.
 * - `expired`: the authorization is `unused` after its end.
 * - `cancelled`: the payer cancelled the authorization, and the cancellation is `confirmed`.
 * - `unknown`: two providers show different states (`disagreement`), or the second one does not respond
 *   (`no-agreement`). The nonce was used before the search (`used-before`; with Permit2, also if none of the last 200
 *   transactions of the payer shows the use), or without a payment of the token (`no-payment`). The transaction has `no-payment` of the token, is not on the chain (`absent`), or failed
 *   (`reverted`), so its authorization may be used by another transaction.
 */
export type PaymentStatusReason =
  | 'confirmed'
  | 'unconfirmed'
  | 'unused'
  | 'disagreement'
  | 'no-agreement'
  | 'used-before'
  | 'no-payment'
  | 'absent'
  | 'reverted';

/** State of a payment on the chain. */
export interface PaymentStatusReading {
  readonly state: 'settled' | 'open' | 'expired' | 'cancelled' | 'unknown';
  readonly reason: PaymentStatusReason;
  /**
   * Block of the payments or of the cancellation. For an unused authorization, the last confirmed block, whose time
   * decides if the authorization is expired. Null if no block decides.
   */
  readonly block: Place | null;
  /** Payments of a settled state; empty in every other state. */
  readonly payments: readonly ChainPayment[];
}

interface CompleteQuery extends PaymentStatusQuery {
  readonly asset: Hex;
  readonly confirmations: number;
}

/**
 * Reads from the chain what became of a payment. A payment is believed of one provider. That an authorization can no
 * longer be used is returned only when a second provider agrees, or if only one is configured, because the payer may pay
 * again. A provider without the payment is not paused, because any caller can ask for a payment that does not exist.
 *
 * @throws ChainUnreadableError when no provider can be read
 * @throws TypeError when the query names no token and the canonical USDC of the network is unknown
 */
export async function readPaymentStatus(
  providers: Providers,
  query: PaymentStatusQuery,
): Promise<PaymentStatusReading> {
  const { network } = providers;
  // The cast is safe: tests of the token table check that every asset of an EVM network is an address.
  const asset = query.asset ?? (findCanonicalUsdc(network)?.asset.toLowerCase() as Hex | undefined);
  if (asset === undefined) throw new TypeError(`The canonical USDC of ${network} is unknown.`);
  const complete = { ...query, asset, confirmations: query.confirmations ?? getConfirmations(network) };
  return providers.use(async (provider, others) => {
    const first = await readFromProvider({ provider, network }, complete);
    if (first.state === 'settled') return first;
    const second = await readFromOthers(others, (other) =>
      readFromProvider({ provider: other, network }, complete),
    );
    return combine(first, second, others.length > 0);
  });
}

const createUnknown = (reason: PaymentStatusReason): PaymentStatusReading => ({
  ...{ state: 'unknown', reason, block: null, payments: [] },
});

/** Returns the common state of two providers. `second` is null if no second provider responds. */
function combine(
  first: PaymentStatusReading,
  second: PaymentStatusReading | null,
  isSecondConfigured: boolean,
): PaymentStatusReading {
  if (second?.state === 'settled') return second;
  const isOver = first.state === 'expired' || first.state === 'cancelled';
  if (second === null) return isSecondConfigured && isOver ? createUnknown('no-agreement') : first;
  if (first.reason === 'unused' && second.reason === 'unused')
    return (first.block?.at ?? 0) < (second.block?.at ?? 0) ? first : second;
  if (first.state !== second.state) return createUnknown('disagreement');
  return first.block === null ? second : first;
}

async function readFromProvider(source: Source, query: CompleteQuery): Promise<PaymentStatusReading> {
  const { by } = query;
  if ('transaction' in by) return readTransaction(source, by, query);
  const { payer, nonce, since, until } = by;
  const search = { payer, nonce, since, until, mayBeUsedBefore: true };
  const { asset, confirmations, maxSpan } = query;
  const reading = await readNonce(source, {
    ...search,
    asset,
    confirmations,
    maxSpan,
  });
  // A block at the end of an authorization cannot use it any more by EIP-3009, but by Permit2.
  const isLast = typeof nonce === 'bigint' ? 1 : 0;
  return toStatus(reading, by.validBefore === null ? null : by.validBefore + isLast, query);
}

/** Converts the use of a nonce. From the time `end` on, no block can use it. */
function toStatus(reading: NonceReading, end: number | null, query: CompleteQuery): PaymentStatusReading {
  if (reading.state === 'used-before') return createUnknown('used-before');
  if (reading.state === 'unused') {
    const { block, at } = reading;
    const state = end !== null && at >= end ? 'expired' : 'open';
    return {
      state,
      reason: 'unused',
      block: { block, at, confirmations: query.confirmations },
      payments: [],
    };
  }
  const { block, at, confirmations } = reading;
  const place = { block, at, confirmations };
  const isConfirmed = confirmations >= query.confirmations;
  const reason = isConfirmed ? 'confirmed' : 'unconfirmed';
  if (reading.state === 'canceled')
    return { state: isConfirmed ? 'cancelled' : 'open', reason, block: place, payments: [] };
  const { receipt, transfer } = reading;
  if (transfer === null) return { ...createUnknown('no-payment'), block: place };
  const payments = [createPayment(transfer, receipt, { asset: query.asset, at })];
  return { state: 'settled', reason, block: place, payments };
}

function createPayment(
  transfer: SignedTransfer,
  { transactionHash, from }: Receipt,
  facts: Pick<ChainPayment, 'asset' | 'at'>,
): ChainPayment {
  return { ...transfer, transaction: transactionHash, sender: from, ...facts };
}

async function readTransaction(
  source: Source,
  { transaction, payer }: Extract<PaymentStatusQuery['by'], { transaction: Hex }>,
  { asset, confirmations }: CompleteQuery,
): Promise<PaymentStatusReading> {
  const { provider } = source;
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  const receipt = await readReceipt(provider, transaction);
  if (receipt === null) return createUnknown('absent');
  const place = await readPlace(provider, receipt, head);
  if (receipt.status === 0n) return { ...createUnknown('reverted'), block: place };
  const payments = (await listPayments(source, receipt, asset))
    .filter((each) => payer === null || each.payer === payer)
    .map((each) => createPayment(each, receipt, { asset, at: place.at }));
  if (payments.length === 0) return { ...createUnknown('no-payment'), block: place };
  const reason = place.confirmations < confirmations ? 'unconfirmed' : 'confirmed';
  return { state: 'settled', reason, block: place, payments };
}
