import {
  findCanonicalUsdc,
  findFacilitator,
  findNetwork,
  OTHER_FACILITATOR,
  type ChainCursor,
  type Settlement,
  type SettlementStep,
} from '@touchstone/x402';
import type { Hex } from 'viem';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { SettlementQuery } from '../types.ts';
import { readBlockTimes, findFirstBlockSince, readHeader } from './blocks.ts';
import { addAnchor, findReorg } from './find-reorg.ts';
import type { BlockRange } from './read-logs.ts';
import { readTransfers, selectReadableWallets, type TransferReading } from './read-transfers.ts';
import { quantitySchema, type Header, senderSchema } from './logs.ts';

/** Result of reading one range of blocks. */
export interface SpanResult {
  /** Number of blocks that were requested. */
  readonly span: number;
  /**
   * Reduced number of blocks per request, after the provider refused a larger request or timed out; null without a
   * refusal or timeout.
   */
  readonly refusedDownTo: number | null;
  /** Number of blocks whose transfers were kept; less than `span` when the row limit cut the range. */
  readonly blocks: number;
  /** Number of transfers in the blocks that were kept. */
  readonly rows: number;
  readonly maxSpan: number;
  /** Maximum number of transfers in one reading step. */
  readonly maxRows: number;
}

/**
 * Computes the number of blocks to request in the next reading step. After a refusal, this is the number of blocks that
 * the provider accepted. Otherwise the number grows by a quarter. When transfers are dense, the number is limited so
 * that the next step has about half of `maxRows` transfers.
 *
 * @returns a whole number from 1 to `maxSpan`
 */
export function computeNextSpan({ span, refusedDownTo, blocks, rows, maxSpan, maxRows }: SpanResult): number {
  const grown = refusedDownTo ?? Math.ceil(span * 1.25);
  const rowLimit = rows * 2 > maxRows ? Math.floor((blocks * maxRows) / (rows * 2)) : Infinity;
  return Math.max(1, Math.min(grown, rowLimit, maxSpan));
}

async function readSenders(
  provider: Provider,
  settlements: readonly Settlement[],
): Promise<Map<string, Hex>> {
  const transactions = [...new Set(settlements.map(({ transaction }) => transaction))];
  const params = transactions.map((transaction) => [transaction]);
  const results = await provider.callMany('eth_getTransactionByHash', params, senderSchema);
  const senders = new Map<string, Hex>();
  for (const [index, transaction] of transactions.entries()) {
    const result = results[index];
    if (!result || result.hash !== transaction) {
      throw new RpcFailure('unusable', 'lacks a transaction, although it sent logs of the transaction');
    }
    senders.set(transaction, result.from);
  }
  return senders;
}

/** Maximum number of authorized payments to a wallet whose senders are read in one step. */
const MAX_SAMPLES = 20;

/**
 * Adds the ids of the facilitators that sent settlements. A transfer counts as an x402 payment when a known facilitator
 * sent it for another payer.
 *
 * The senders of all transfers without an authorization log are read, because permit2 payments have no such log. Of the
 * authorized payments to a wallet, the last one of each of 20 payers is read, because a step can have thousands of
 * payments. These payments count without their facilitator, so a failure to read their senders is ignored.
 */
async function nameFacilitators(
  { provider, network }: { readonly provider: Provider; readonly network: string },
  settlements: readonly Settlement[],
): Promise<Settlement[]> {
  const transfers = settlements.filter(({ kind }) => kind === 'transfer');
  const authorized = settlements.filter(({ kind }) => kind === 'x402');
  const lastOfPayers = new Map(authorized.map((payment) => [`${payment.payTo} ${payment.payer}`, payment]));
  const samples = [...Map.groupBy(lastOfPayers.values(), ({ payTo }) => payTo).values()].flatMap((payments) =>
    payments.slice(-MAX_SAMPLES),
  );
  const senders = await readSenders(provider, transfers);
  const sampled = await readSenders(provider, samples).catch((error: unknown) => {
    if (error instanceof RpcFailure) return [];
    throw error;
  });
  for (const [transaction, sender] of sampled) senders.set(transaction, sender);
  return settlements.map((settlement): Settlement => {
    const sender = senders.get(settlement.transaction);
    if (settlement.kind === 'sent') return settlement;
    if (sender === undefined || sender === settlement.payer) return settlement;
    const known = findFacilitator(network, sender);
    if (known !== null) return { ...settlement, facilitator: known, kind: 'x402' };
    return settlement.kind === 'x402' ? { ...settlement, facilitator: OTHER_FACILITATOR } : settlement;
  });
}

/**
 * Default maximum number of blocks in one reading step. Base's public RPC provider and most others accept this range.
 */
const DEFAULT_MAX_SPAN = 9_000;
/** Default number of confirmations of an EVM network: enough for a sequencer with blocks of 1 to 2 seconds. */
const DEFAULT_CONFIRMATIONS = 12;
/** Default maximum number of settlements in one reading step. */
const DEFAULT_MAX_ROWS = 5_000;

/** Returns the number of blocks after which a block of an EVM network counts as final. */
export function getConfirmations(network: string): number {
  return findNetwork(network)?.confirmations ?? DEFAULT_CONFIRMATIONS;
}

interface Chain {
  readonly provider: Provider;
  readonly others: readonly Provider[];
  readonly token: Hex;
  /** Number of the provider's last block. */
  readonly head: bigint;
}

async function checkChainId(provider: Provider, network: string): Promise<void> {
  const id = await provider.call('eth_chainId', [], quantitySchema);
  if (`eip155:${id}` !== network) throw new RpcFailure('unusable', `serves eip155:${id}`);
}

async function createCursor({ provider, head }: Chain, query: SettlementQuery): Promise<ChainCursor> {
  const fromBlock = await findFirstBlockSince(provider, query.since, head);
  return { fromBlock, nextBlock: fromBlock, anchors: [], span: query.maxSpan ?? DEFAULT_MAX_SPAN };
}

/** Returns the next range of blocks to read. Returns null when all confirmed blocks were read. */
function findNextRange({ head }: Chain, cursor: ChainCursor, query: SettlementQuery): BlockRange | null {
  const confirmed = head - BigInt(query.confirmations ?? getConfirmations(query.network));
  const last = query.until !== undefined && query.until < confirmed ? query.until : confirmed;
  if (last < cursor.nextBlock) return null;
  const end = cursor.nextBlock + BigInt(Math.min(cursor.span, query.maxSpan ?? DEFAULT_MAX_SPAN)) - 1n;
  return { from: cursor.nextBlock, to: end < last ? end : last };
}

function toSettlements(
  { transfers, settled }: TransferReading,
  times: ReadonlyMap<bigint, number>,
  asset: string,
): Settlement[] {
  return transfers.map((transfer): Settlement => {
    const {
      log: { blockNumber, blockHash },
      isSent,
      ...facts
    } = transfer;
    const at = (times.get(blockNumber) ?? 0) * 1_000;
    const received = settled.has(transfer) ? 'x402' : 'transfer';
    const kind = isSent ? 'sent' : received;
    return { ...facts, blockNumber, blockHash, at, asset, kind, facilitator: null };
  });
}

/**
 * Checks that no reorg replaced the blocks of a range during the reading. Throws also when the provider does not have
 * the last block of the range.
 */
async function checkUnchanged(provider: Provider, last: Header): Promise<void> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  if (head < last.number) throw new RpcFailure('unusable', 'is behind the requested blocks');
  if ((await readHeader(provider, last.number)).hash !== last.hash) {
    throw new RpcFailure('unusable', `replaced block ${last.number} while it was read`);
  }
}

async function readRange(chain: Chain, range: BlockRange, query: SettlementQuery) {
  const { provider, others, token } = chain;
  const first = await readHeader(provider, range.from);
  const last = await readHeader(provider, range.to);
  const wallets = selectReadableWallets(query.wallets);
  const maxRows = query.maxRows ?? DEFAULT_MAX_ROWS;
  const reading = await readTransfers({ provider, others, token, wallets, maxRows }, range);
  const logs = reading.transfers.map(({ log }) => log);
  const times = await readBlockTimes(provider, logs, [first, last]);
  const end = reading.to === range.to ? last : await readHeader(provider, reading.to);
  const unnamed = toSettlements(reading, times, token);
  const settlements = await nameFacilitators({ provider, network: query.network }, unnamed);
  await checkUnchanged(provider, last);
  return { settlements, reading, end };
}

function advanceCursor(
  cursor: ChainCursor,
  range: BlockRange,
  { reading, end, query }: { reading: TransferReading; end: Header; query: SettlementQuery },
): ChainCursor {
  const span = computeNextSpan({
    span: cursor.span,
    refusedDownTo: reading.refusedDownTo,
    blocks: Number(reading.to - range.from) + 1,
    rows: reading.transfers.length,
    maxSpan: query.maxSpan ?? DEFAULT_MAX_SPAN,
    maxRows: query.maxRows ?? DEFAULT_MAX_ROWS,
  });
  const anchors = addAnchor(cursor.anchors, { number: end.number, hash: end.hash });
  return { ...cursor, nextBlock: end.number + 1n, anchors, span };
}

/**
 * Creates the result of a step that found a reorg: `removedFrom` is the first replaced block. All settlements from this
 * block on must be discarded.
 */
function createReorgStep(cursor: ChainCursor, removedFrom: bigint): SettlementStep {
  const anchors = cursor.anchors.filter(({ number }) => number < removedFrom);
  return {
    settlements: [],
    cursor: { ...cursor, nextBlock: removedFrom, anchors },
    through: null,
    caughtUp: false,
    removedFrom,
  };
}

/** Reads one step of an EVM chain from one provider; see `readSettlements`. */
export async function readEvmSettlements(
  provider: Provider,
  others: readonly Provider[],
  query: SettlementQuery,
): Promise<SettlementStep> {
  const { network } = query;
  const usdc = findCanonicalUsdc(network);
  if (usdc === null) throw new TypeError(`The canonical USDC of ${network} is unknown.`);
  await checkChainId(provider, network);
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  // The cast is safe: tests of the token table check that every asset of an EVM network is an address.
  const chain = { provider, others, head, token: usdc.asset.toLowerCase() as Hex };
  const cursor = query.cursor ?? (await createCursor(chain, query));
  const removedFrom = await findReorg(chain, cursor);
  if (removedFrom !== null) return createReorgStep(cursor, removedFrom);
  const range = findNextRange(chain, cursor, query);
  if (range === null) return { settlements: [], cursor, through: null, caughtUp: true, removedFrom: null };
  const { settlements, reading, end } = await readRange(chain, range, query);
  const next = advanceCursor(cursor, range, { reading, end, query });
  return {
    settlements,
    cursor: next,
    ...(reading.tooBusy.size === 0 ? {} : { tooBusy: [...reading.tooBusy] }),
    through: { block: end.number, at: end.timestamp * 1_000 },
    caughtUp: findNextRange(chain, next, query) === null,
    removedFrom: null,
  };
}
