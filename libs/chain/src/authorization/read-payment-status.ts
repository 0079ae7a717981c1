import type { Hex } from 'viem';
import { findCanonicalUsdc } from '@touchstone/x402';
import { quantitySchema, type Receipt } from '../evm/logs.ts';
import { getConfirmations } from '../evm/read-evm-settlements.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { readSolanaPayment } from '../solana/read-solana-payment.ts';
import { listPayments, readReceipt, type SignedTransfer, type Source } from './list-payments.ts';
import { readFromOthers } from './read-authorization-state.ts';
import { type NonceReading, type Place, readNonce, readPlace, type SignedNonce } from './read-nonce.ts';

/**
 * Payments to find on the chain. Addresses, nonces and transactions of EVM networks are lower case; times are in
 * milliseconds since the epoch.
 */
export interface PaymentStatusQuery {
  readonly by:
    | {
        /** Hash (EVM) or signature (Solana). */
        readonly transaction: string;
        /** Payer whose payments are returned; null for the payments of all payers. */
        readonly payer: string | null;
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
  readonly asset?: string | undefined;
  /** Number of confirmations; by default the number for the network. */
  readonly confirmations?: number | undefined;
  /** Maximum number of blocks in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number | undefined;
}

/** Payment on the chain. */
export interface ChainPayment extends SignedTransfer {
  readonly transaction: string;
  /** Address that sent the transaction. */
  readonly sender: string;
  readonly asset: string;
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
 *   (`no-agreement`). The nonce was used before the search or beyond its limits (`used-before`), or without a payment of
 *   the token (`no-payment`), or the token has no such nonces (`unsupported-token`). The transaction has `no-payment` of
 *   the token, is not on the chain (`absent`), or failed (`reverted`), so its authorization may be used by another
 *   transaction.
 */
export type PaymentStatusReason =
  | 'confirmed'
  | 'unconfirmed'
  | 'unused'
  | 'disagreement'
  | 'no-agreement'
  | 'used-before'
  | 'no-payment'
  | 'unsupported-token'
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

/** Maximum number of ranges of blocks in the search for a nonce: 8 days of Base, 25 hours of Arbitrum. */
const MAX_RANGES = 40;

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
 * @throws TypeError when the query names no token and the canonical USDC of the network is unknown, or when a query for
 * Solana names no transaction
 */
export async function readPaymentStatus(
  providers: Providers,
  query: PaymentStatusQuery,
): Promise<PaymentStatusReading> {
  const { network } = providers;
  const asset = query.asset ?? findCanonicalUsdc(network)?.asset;
  if (asset === undefined) throw new TypeError(`The canonical USDC of ${network} is unknown.`);
  const read = createReader(network, asset, query);
  return providers.use(async (provider, others) => {
    const first = await read(provider);
    // Neither state allows the payer to pay again, so no second provider is read.
    if (first.state === 'settled' || first.reason === 'used-before') return first;
    return combine(first, await readFromOthers(others, read), others.length > 0);
  });
}

type Reader = (provider: Provider) => Promise<PaymentStatusReading>;

function createReader(network: string, asset: string, query: PaymentStatusQuery): Reader {
  const { by } = query;
  if (network.startsWith('solana:')) {
    if (!('transaction' in by)) throw new TypeError('Payments on Solana have no nonce.');
    return (provider) => readSolanaPayment(provider, { network, asset, ...by });
  }
  const confirmations = query.confirmations ?? getConfirmations(network);
  // The cast is safe: tests of the token table check that every asset of an EVM network is an address.
  const complete = { ...query, asset: asset.toLowerCase() as Hex, confirmations };
  return (provider) =>
    'transaction' in by
      ? readTransaction({ provider, network }, by, complete)
      : readAuthorization({ provider, network }, by, complete);
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

type By<K extends string> = Extract<PaymentStatusQuery['by'], Readonly<Record<K, unknown>>>;

async function readAuthorization(
  source: Source,
  { payer, nonce, validBefore, since, until }: By<'nonce'>,
  query: CompleteQuery,
): Promise<PaymentStatusReading> {
  const { asset, confirmations, maxSpan } = query;
  const limits = { since, until, mayBeUsedBefore: true, maxSpan, maxRanges: MAX_RANGES };
  try {
    const reading = await readNonce(source, { asset, payer, nonce, confirmations, ...limits });
    // A block at the end of an authorization cannot use it any more by EIP-3009, but by Permit2.
    const isLast = typeof nonce === 'bigint' ? 1 : 0;
    return toStatus(reading, validBefore === null ? null : validBefore + isLast, query);
  } catch (error) {
    // The token is chosen by the caller, so the provider is not paused.
    if (error instanceof RpcFailure && error.kind === 'reverted') return createUnknown('unsupported-token');
    throw error;
  }
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
  { transaction, payer }: By<'transaction'>,
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
