import { encodeFunctionData, pad, parseAbi, type Hex } from 'viem';
import { findFirstBlockSince, readHeader } from '../evm/blocks.ts';
import { callContract } from '../evm/call-contract.ts';
import { AUTHORIZATION_TOPIC, CANCELED_TOPIC, type Log, quantitySchema, type Receipt } from '../evm/logs.ts';
import { type BlockRange, readLogs } from '../evm/read-logs.ts';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { listPayments, readReceipt, type SignedTransfer, type Source } from './list-payments.ts';
import { findPermit2Use, isPermit2Used } from './read-permit2.ts';

export const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

/** Nonce of a signed payment. Addresses and the nonce are lower case. */
export interface SignedNonce {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes (EIP-3009), or a number of at most 256 bits (Permit2). */
  readonly nonce: Hex | bigint;
}

/** Nonce of a signed payment, and where its use is searched on the chain. */
export interface NonceQuery extends SignedNonce {
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
  /** Maximum number of ranges of `maxSpan` blocks; no maximum by default. */
  readonly maxRanges?: number;
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
      readonly transfer: SignedTransfer | null;
    } & Place)
  | { readonly state: 'used-before' };

/** Use of a nonce: the log of its cancellation, or the receipt of the transaction that used the nonce. */
export type NonceUse =
  | { readonly canceled: Log }
  | { readonly receipt: Receipt; readonly transfer: SignedTransfer | null };

/**
 * Reads the use of a nonce from one provider. The state is read at a block number and not at `latest`, because nodes
 * behind one URL may have different last blocks.
 */
export async function readNonce(source: Source, query: NonceQuery): Promise<NonceReading> {
  const { provider } = source;
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  const { nonce, since } = query;
  const isUsed = await (typeof nonce === 'bigint'
    ? isPermit2Used(provider, { ...query, nonce }, head)
    : isAuthorizationUsed(provider, { ...query, nonce }, head));
  if (!isUsed) {
    const confirmed = head - BigInt(query.confirmations ?? 0);
    const header = await readHeader(provider, confirmed > 0n ? confirmed : 0n);
    return { state: 'unused', block: Number(header.number), at: header.timestamp * 1_000 };
  }
  if (since === null) return { state: 'used-before' };
  const find = createFinder(source, query);
  const use = await searchBack(provider, { ...query, since, head }, find);
  const place =
    use === null ? null : await readPlace(provider, 'receipt' in use ? use.receipt : use.canceled, head);
  if (use === null || place === null || place.at < since) {
    if (query.mayBeUsedBefore === true) return { state: 'used-before' };
    throw new RpcFailure('unusable', 'does not have the log of an authorization that was used');
  }
  return 'receipt' in use ? { state: 'used', ...use, ...place } : { state: 'canceled', ...place };
}

type Finder = (range: BlockRange) => Promise<NonceUse | null>;

function createFinder(source: Source, { nonce, ...query }: SignedNonce): Finder {
  if (typeof nonce === 'string') return (range) => findAuthorizationUse(source, { ...query, nonce }, range);
  const seen = new Set<Hex>();
  return (range) => findPermit2Use(source, { ...query, nonce, seen }, range);
}

type AuthorizationNonce = SignedNonce & { readonly nonce: Hex };

async function isAuthorizationUsed(
  provider: Provider,
  { asset, payer, nonce }: AuthorizationNonce,
  head: bigint,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] });
  return (await callContract(provider, { to: asset, data }, head)) !== 0n;
}

/** Finds the use of a nonce in a range of blocks. A token accepts each nonce once: for a transfer or a cancellation. */
async function findAuthorizationUse(
  source: Source,
  { asset, payer, nonce }: AuthorizationNonce,
  range: BlockRange,
): Promise<NonceUse | null> {
  const { provider } = source;
  const events = [AUTHORIZATION_TOPIC, CANCELED_TOPIC];
  const topics = [events, [pad(payer, { size: 32 })], [nonce]] as const;
  const [log] = (await readLogs(provider, { address: asset, topics }, range)).logs;
  if (log === undefined) return null;
  if (log.topics[0] === CANCELED_TOPIC) return { canceled: log };
  const receipt = await readReceipt(provider, log.transactionHash);
  if (receipt === null)
    throw new RpcFailure('unusable', 'lacks a receipt, although it sent logs of the transaction');
  const payments = await listPayments(source, receipt, asset);
  const transfer = payments.find((each) => each.payer === payer && each.nonce === nonce);
  return { receipt, transfer: transfer ?? null };
}

interface Search extends Pick<NonceQuery, 'until' | 'maxSpan' | 'maxRanges'> {
  readonly since: number;
  /** Number of the last block. */
  readonly head: bigint;
}

/**
 * Searches ranges of blocks, from the last block back to the time `since`. The newest blocks are searched before the
 * first block of the search is known, because most nonces were used a short time ago. A result may therefore be earlier
 * than `since`.
 */
async function searchBack(
  provider: Provider,
  { since, until, head, maxSpan = 9_000, maxRanges = Infinity }: Search,
  find: Finder,
): Promise<NonceUse | null> {
  const span = BigInt(maxSpan);
  const end = until === undefined ? head : await findFirstBlockSince(provider, until, head);
  const last = end < head ? end : head;
  let [first, to] = [0n, last];
  for (let count = 0; to >= first && count < maxRanges; count += 1) {
    const from = to - span + 1n;
    const found = await find({ from: from > first ? from : first, to });
    if (found !== null) return found;
    if (count === 0) first = await findFirstBlockSince(provider, since, last);
    to -= span;
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
