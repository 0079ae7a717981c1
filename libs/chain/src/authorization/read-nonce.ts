import { encodeFunctionData, numberToHex, pad, parseAbi, type Hex } from 'viem';
import { findFirstBlockSince, readHeader } from '../evm/blocks.ts';
import {
  AUTHORIZATION_TOPIC,
  CANCELED_TOPIC,
  type Log,
  type LogFilter,
  quantitySchema,
  type Receipt,
  receiptSchema,
  toAddress,
  TRANSFER_TOPIC,
  wordSchema,
} from '../evm/logs.ts';
import { readLogs } from '../evm/read-logs.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';

export const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
const ZERO = `0x${'0'.repeat(64)}`;

/** An authorization (EIP-3009), and where its use is searched on the chain. Addresses and the nonce are lower case. */
export interface NonceQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes. */
  readonly nonce: Hex;
  /**
   * Start of the search, in milliseconds since the epoch; not later than the first possible use of the authorization,
   * unless `mayBeUsedBefore` is true. Null: the use is not searched, so each used nonce has the state `used-before`.
   */
  readonly since: number | null;
  /** End of the search, in milliseconds since the epoch; the last block by default. */
  readonly until?: number | undefined;
  /** True if the nonce may have been used before `since`. By default, a used nonce without a log is a failure. */
  readonly mayBeUsedBefore?: boolean;
  /** Number of blocks after the block whose time an `unused` reading states; 0 by default. */
  readonly confirmations?: number | undefined;
  /** Maximum number of blocks in one `eth_getLogs` call; 9,000 by default. */
  readonly maxSpan?: number | undefined;
}

/** Transfer that a payer authorized. Amounts are atomic units, addresses are lower case. */
export interface AuthorizedTransfer {
  readonly nonce: Hex;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
}

/** Block of a log or a receipt. */
export interface Place {
  readonly block: number;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
  /** Number of blocks after this block. */
  readonly confirmations: number;
}

/**
 * Use of a nonce on the chain.
 *
 * - `unused`: not used up to the last block. `block` and `at` are those of the block with the requested confirmations.
 * - `canceled`: the payer canceled the authorization.
 * - `used`: used in the transaction of the receipt; `transfer` is null if the transaction shows no transfer for it.
 * - `used-before`: used before the start of the search, or the use was not searched.
 */
export type NonceReading =
  | ({ readonly state: 'unused' } & Pick<Place, 'block' | 'at'>)
  | ({ readonly state: 'canceled' } & Place)
  | ({
      readonly state: 'used';
      readonly receipt: Receipt;
      readonly transfer: AuthorizedTransfer | null;
    } & Place)
  | { readonly state: 'used-before' };

/**
 * Reads the use of a nonce from one provider. The state is read at a block number and not at `latest`, because nodes
 * behind one URL may have different last blocks.
 */
export async function readNonce(provider: Provider, query: NonceQuery): Promise<NonceReading> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  const { asset, payer, nonce, since } = query;
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] });
  const used = await provider.call('eth_call', [{ to: asset, data }, numberToHex(head)], wordSchema);
  if (used === ZERO) {
    const confirmed = head - BigInt(query.confirmations ?? 0);
    const header = await readHeader(provider, confirmed > 0n ? confirmed : 0n);
    return { state: 'unused', block: Number(header.number), at: header.timestamp * 1_000 };
  }
  if (since === null) return { state: 'used-before' };
  const events = [AUTHORIZATION_TOPIC, CANCELED_TOPIC];
  const topics = [events, [pad(payer, { size: 32 })], [nonce]] as const;
  const log = await findLastLog(provider, { address: asset, topics }, { ...query, since, head });
  const place = log === null ? null : await readPlace(provider, log, head);
  if (log === null || place === null || place.at < since) {
    if (query.mayBeUsedBefore === true) return { state: 'used-before' };
    throw new RpcFailure('unusable', 'does not have the log of an authorization that was used');
  }
  if (log.topics[0] === CANCELED_TOPIC) return { state: 'canceled', ...place };
  const receipt = await readReceipt(provider, log.transactionHash);
  if (receipt === null)
    throw new RpcFailure('unusable', 'lacks a receipt, although it sent logs of the transaction');
  const transfer = listAuthorized(receipt, asset).find(
    (each) => each.payer === payer && each.nonce === nonce,
  );
  return { state: 'used', receipt, transfer: transfer ?? null, ...place };
}

interface LogSearch extends Pick<NonceQuery, 'until' | 'maxSpan'> {
  readonly since: number;
  /** Number of the last block. */
  readonly head: bigint;
}

/**
 * Finds a log that matches the filter, from the last block back to the time `since`. The newest blocks are searched
 * before the first block of the search is known, because most nonces were used a short time ago. The log may therefore be
 * earlier than `since`.
 */
async function findLastLog(
  provider: Provider,
  filter: LogFilter,
  { since, until, head, maxSpan = 9_000 }: LogSearch,
): Promise<Log | null> {
  const span = BigInt(maxSpan);
  const end = until === undefined ? head : await findFirstBlockSince(provider, until, head);
  const last = end < head ? end : head;
  let first = 0n;
  for (let to = last; to >= first; to -= span) {
    const from = to - span + 1n;
    const { logs } = await readLogs(provider, filter, { from: from > first ? from : first, to });
    const [log] = logs;
    if (log !== undefined) return log;
    if (to === last) first = await findFirstBlockSince(provider, since, last);
  }
  return null;
}

/** Reads the block of a log or a receipt. @throws RpcFailure when another block has its number */
export async function readPlace(
  provider: Provider,
  { blockNumber, blockHash }: Pick<Log, 'blockNumber' | 'blockHash'>,
  head: bigint,
): Promise<Place> {
  const header = await readHeader(provider, blockNumber);
  if (header.hash !== blockHash) throw new RpcFailure('unusable', 'has a log of a replaced block');
  const confirmations = head > blockNumber ? Number(head - blockNumber) : 0;
  return { block: Number(blockNumber), at: header.timestamp * 1_000, confirmations };
}

/** Reads the receipt of a transaction; null when the provider does not have the receipt. */
export async function readReceipt(provider: Provider, transaction: Hex): Promise<Receipt | null> {
  const receipt = await provider.call('eth_getTransactionReceipt', [transaction], receiptSchema);
  return receipt?.transactionHash === transaction ? receipt : null;
}

/** Returns the transfer that a log shows; null for another token, event or format. */
export function readTransfer(log: Log | undefined, asset: Hex) {
  const [topic, from, to] = log?.topics ?? [];
  if (log?.address !== asset || topic !== TRANSFER_TOPIC || from === undefined || to === undefined)
    return null;
  const [payer, payTo] = [toAddress(from), toAddress(to)];
  if (payer === null || payTo === null || log.data.length !== 66) return null;
  return { payer, payTo, amount: BigInt(log.data) };
}

/**
 * Lists the transfers of a transaction that their payers authorized (EIP-3009). USDC writes the transfer right after the
 * use of its authorization (FiatTokenV2, `_transferWithAuthorization`).
 */
export function listAuthorized({ logs }: Pick<Receipt, 'logs'>, asset: Hex): AuthorizedTransfer[] {
  return logs.flatMap(({ address, topics: [event, authorizer, nonce] }, index) => {
    if (address !== asset || event !== AUTHORIZATION_TOPIC || nonce === undefined) return [];
    const transfer = readTransfer(logs[index + 1], asset);
    return transfer === null || authorizer !== pad(transfer.payer, { size: 32 })
      ? []
      : [{ ...transfer, nonce }];
  });
}
