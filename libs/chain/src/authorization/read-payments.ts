import { pad, type Hex } from 'viem';
import { findCanonicalUsdc } from '@touchstone/x402';
import { findFirstBlockSince, readHeader } from '../evm/blocks.ts';
import {
  AUTHORIZATION_TOPIC,
  quantitySchema,
  receiptSchema,
  toAddress,
  TRANSFER_TOPIC,
  type Log,
} from '../evm/logs.ts';
import { getConfirmations } from '../evm/read-evm-settlements.ts';
import { readLogs } from '../evm/read-logs.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { readFunds } from './read-payer.ts';

/** Maximum number of blocks in one search for a nonce. */
const MAX_SPAN = 9_000n;

/** Payments of a payer in the canonical USDC of the network. Addresses, nonces and transactions are lower case. */
export interface PaymentQuery {
  readonly payer: Hex;
  /**
   * Transaction of the payments, or the nonce of the authorization (EIP-3009) and the time range in which the nonce was
   * used, in milliseconds since the epoch.
   */
  readonly by:
    | { readonly transaction: Hex }
    | { readonly nonce: Hex; readonly since: number; readonly until: number };
  /** Number of confirmations; by default the number for the network. */
  readonly confirmations?: number | undefined;
}

/** Transfer that a payer authorized (EIP-3009). */
interface Payment {
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly transaction: Hex;
  /** Address that sent the transaction. */
  readonly sender: Hex;
  readonly payTo: Hex;
  /** Atomic units. */
  readonly amount: bigint;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Payments on the chain.
 *
 * - `paid`: the payments of the payer in the transaction, or the payment with the nonce.
 * - `unconfirmed`: the block of the payments has too few confirmations.
 * - `unused`: the nonce was not used.
 * - `absent`: the transaction is unknown or has no such payment, or the nonce was used outside the time range.
 */
export type PaymentReading =
  | { readonly state: 'paid'; readonly payments: readonly Payment[] }
  | { readonly state: 'absent' | 'unconfirmed' | 'unused' };

/**
 * Reads payments that a payer authorized (EIP-3009) from the chain. Permit2 payments have no log of an authorization, so
 * they are not found. If the first provider has no payment, the others are asked, because a provider can lag; a
 * provider without the payment is not paused, because any caller can ask for a payment that does not exist.
 *
 * @throws ChainUnreadableError when no provider can be read
 * @throws TypeError when the canonical USDC of the network is unknown
 */
export async function readPayments(providers: Providers, query: PaymentQuery): Promise<PaymentReading> {
  const { network } = providers;
  const usdc = findCanonicalUsdc(network);
  if (usdc === null) throw new TypeError(`The canonical USDC of ${network} is unknown.`);
  // The cast is safe: tests of the token table check that every asset of an EVM network is an address.
  const asset = usdc.asset.toLowerCase() as Hex;
  const { by, payer } = query;
  if ('nonce' in by) {
    // The search for the log of a nonce takes about 30 calls, and this check two.
    const { usedNonces } = await readFunds(providers, { asset, payer, nonces: [by.nonce] });
    if (usedNonces.size === 0) return { state: 'unused' };
  }
  const confirmations = query.confirmations ?? getConfirmations(network);
  const complete = { ...query, asset, confirmations };
  return providers.use(async (provider, others) => {
    const first = await readFromProvider(provider, complete);
    if (first.state !== 'absent') return first;
    for (const other of others) {
      const reading = await readFromProvider(other, complete).catch(ignoreFailure);
      if (reading !== null && reading.state !== 'absent') return reading;
    }
    return first;
  });
}

function ignoreFailure(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}

interface CompleteQuery extends PaymentQuery {
  readonly asset: Hex;
  readonly confirmations: number;
}

async function readFromProvider(provider: Provider, query: CompleteQuery): Promise<PaymentReading> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  const { by } = query;
  const transaction = 'nonce' in by ? await findTransaction(provider, query, head) : by.transaction;
  if (transaction === null) return { state: 'absent' };
  const receipt = await provider.call('eth_getTransactionReceipt', [transaction], receiptSchema);
  if (receipt === null || receipt.transactionHash !== transaction) return { state: 'absent' };
  const found = receipt.logs.flatMap((log, index) => readPayment(log, receipt.logs[index + 1], query));
  const wanted = 'nonce' in by ? found.filter(({ nonce }) => nonce === by.nonce) : found;
  const [first] = receipt.logs;
  if (wanted.length === 0 || first === undefined) return { state: 'absent' };
  if (head - first.blockNumber < BigInt(query.confirmations)) return { state: 'unconfirmed' };
  const header = await readHeader(provider, first.blockNumber);
  if (header.hash !== first.blockHash) throw new RpcFailure('unusable', 'has a receipt of a replaced block');
  const facts = { sender: receipt.from, at: header.timestamp * 1_000 };
  return { state: 'paid', payments: wanted.map((payment) => ({ ...payment, ...facts })) };
}

/** Finds the transaction that used the nonce in the time range; null without one. */
async function findTransaction(
  provider: Provider,
  { by, asset, payer }: CompleteQuery,
  head: bigint,
): Promise<Hex | null> {
  if (!('nonce' in by)) return by.transaction;
  const filter = {
    address: asset,
    topics: [AUTHORIZATION_TOPIC, [pad(payer, { size: 32 })], [by.nonce]],
  } as const;
  let from = await findFirstBlockSince(provider, by.since, head);
  while (from <= head) {
    const end = from + MAX_SPAN - 1n;
    const to = end < head ? end : head;
    const [log] = (await readLogs(provider, filter, { from, to })).logs;
    if (log !== undefined) return log.transactionHash;
    if ((await readHeader(provider, to)).timestamp * 1_000 > by.until) return null;
    from = to + 1n;
  }
  return null;
}

/**
 * Reads the payment of an authorization. USDC writes the transfer right after the use of its authorization (FiatTokenV2,
 * `_transferWithAuthorization`).
 */
function readPayment(
  used: Log,
  transfer: Log | undefined,
  { asset, payer }: CompleteQuery,
): readonly Omit<Payment, 'at' | 'sender'>[] {
  const [event, authorizer, nonce] = used.topics;
  if (used.address !== asset || event !== AUTHORIZATION_TOPIC || nonce === undefined) return [];
  const [topic, from, to] = transfer?.topics ?? [];
  if (transfer?.address !== asset || topic !== TRANSFER_TOPIC || from === undefined || to === undefined)
    return [];
  const payTo = toAddress(to);
  if (authorizer !== from || toAddress(from) !== payer || payTo === null || transfer.data.length !== 66)
    return [];
  return [{ nonce, transaction: used.transactionHash, payTo, amount: BigInt(transfer.data) }];
}
