import type { Hex } from 'viem';
import { findCanonicalUsdc } from '@touchstone/x402';
import { getConfirmations } from '../networks.ts';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { ChainCursor, Settlement, SettlementStep } from '@touchstone/x402';
import type { SettlementQuery } from '../types.ts';
import { addAnchor } from './anchors.ts';
import { readBlockTimes } from './block-times.ts';
import { findFirstBlockSince } from './find-block.ts';
import { findReorg } from './find-reorg.ts';
import { nameFacilitators } from './name-facilitators.ts';
import { computeNextSpan } from './next-span.ts';
import { readHeader } from './blocks.ts';
import type { BlockRange } from './read-logs.ts';
import { selectReadableWallets, readTransfers, type TransferReading } from './read-transfers.ts';
import { quantitySchema, type Header } from './schemas.ts';

/** A range that Base's own public provider and most others take. */
const MAX_SPAN = 9_000;
const MAX_ROWS = 5_000;

interface Chain {
  readonly provider: Provider;
  readonly others: readonly Provider[];
  readonly token: Hex;
  readonly head: bigint;
}

async function checkChain(provider: Provider, network: string): Promise<void> {
  const id = await provider.call('eth_chainId', [], quantitySchema);
  if (`eip155:${id}` !== network) throw new RpcFailure('unusable', `serves eip155:${id}`);
}

async function startCursor({ provider, head }: Chain, order: SettlementQuery): Promise<ChainCursor> {
  const fromBlock = await findFirstBlockSince(provider, order.since, head);
  return { fromBlock, nextBlock: fromBlock, anchors: [], span: order.maxSpan ?? MAX_SPAN };
}

function rangeOf({ head }: Chain, cursor: ChainCursor, order: SettlementQuery): BlockRange | null {
  const confirmed = head - BigInt(order.confirmations ?? getConfirmations(order.network));
  const last = order.until !== undefined && order.until < confirmed ? order.until : confirmed;
  if (last < cursor.nextBlock) return null;
  const end = cursor.nextBlock + BigInt(Math.min(cursor.span, order.maxSpan ?? MAX_SPAN)) - 1n;
  return { from: cursor.nextBlock, to: end < last ? end : last };
}

function toSettlements(
  { transfers, settled }: TransferReading,
  times: ReadonlyMap<bigint, number>,
  asset: string,
): Settlement[] {
  return transfers.map((transfer): Settlement => {
    const { transaction, logIndex, payer, payTo, amount, log } = transfer;
    const at = (times.get(log.blockNumber) ?? 0) * 1_000;
    const kind = settled.has(transfer) ? 'x402' : 'transfer';
    const { blockNumber, blockHash } = log;
    return {
      transaction,
      logIndex,
      blockNumber,
      blockHash,
      at,
      payer,
      payTo,
      asset,
      amount,
      kind,
      facilitator: null,
    };
  });
}

/** A re-org while the range was read, or a backend that is behind the one that named the head, is noticed here. */
async function checkUnchanged(provider: Provider, last: Header): Promise<void> {
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  if (head < last.number) throw new RpcFailure('unusable', 'is behind the blocks it was asked for');
  if ((await readHeader(provider, last.number)).hash !== last.hash) {
    throw new RpcFailure('unusable', `replaced block ${last.number} while it was read`);
  }
}

async function readRange(chain: Chain, range: BlockRange, order: SettlementQuery) {
  const { provider, others, token } = chain;
  const first = await readHeader(provider, range.from);
  const last = await readHeader(provider, range.to);
  const wallets = selectReadableWallets(order.wallets);
  const maxRows = order.maxRows ?? MAX_ROWS;
  const reading = await readTransfers({ provider, others, token, wallets, maxRows }, range);
  const logs = reading.transfers.map(({ log }) => log);
  const times = await readBlockTimes(provider, logs, [first, last]);
  const end = reading.to === range.to ? last : await readHeader(provider, reading.to);
  const found = toSettlements(reading, times, token);
  const settlements = await nameFacilitators(
    { provider, network: order.network },
    found,
    order.senderLookup ?? 'plain',
  );
  await checkUnchanged(provider, last);
  return { settlements, reading, end };
}

function advance(
  cursor: ChainCursor,
  range: BlockRange,
  { reading, end, order }: { reading: TransferReading; end: Header; order: SettlementQuery },
): ChainCursor {
  const span = computeNextSpan({
    span: cursor.span,
    refusedDownTo: reading.refusedDownTo,
    blocks: Number(reading.to - range.from) + 1,
    rows: reading.transfers.length,
    maxSpan: order.maxSpan ?? MAX_SPAN,
    maxRows: order.maxRows ?? MAX_ROWS,
  });
  const anchors = addAnchor(cursor.anchors, { number: end.number, hash: end.hash });
  return { ...cursor, nextBlock: end.number + 1n, anchors, span };
}

function takeBack(cursor: ChainCursor, removedFrom: bigint): SettlementStep {
  const anchors = cursor.anchors.filter(({ number }) => number < removedFrom);
  return {
    settlements: [],
    cursor: { ...cursor, nextBlock: removedFrom, anchors },
    through: null,
    caughtUp: false,
    removedFrom,
  };
}

/** One step on an EVM chain with one provider; see readSettlements. */
export async function readEvmSettlements(
  provider: Provider,
  others: readonly Provider[],
  order: SettlementQuery,
): Promise<SettlementStep> {
  const { network } = order;
  const usdc = findCanonicalUsdc(network);
  if (usdc === null) throw new TypeError(`no USDC is known on ${network}`);
  await checkChain(provider, network);
  const head = await provider.call('eth_blockNumber', [], quantitySchema);
  // An asset of an EVM network is an address, which the tests of the token table hold.
  const chain = { provider, others, head, token: usdc.asset.toLowerCase() as Hex };
  const cursor = order.cursor ?? (await startCursor(chain, order));
  const fork = await findReorg(chain, cursor);
  if (fork !== null) return takeBack(cursor, fork);
  const range = rangeOf(chain, cursor, order);
  if (range === null) return { settlements: [], cursor, through: null, caughtUp: true, removedFrom: null };
  const { settlements, reading, end } = await readRange(chain, range, order);
  const next = advance(cursor, range, { reading, end, order });
  return {
    settlements,
    cursor: next,
    ...(reading.tooBusy.size === 0 ? {} : { tooBusy: [...reading.tooBusy] }),
    through: { block: end.number, at: end.timestamp * 1_000 },
    caughtUp: rangeOf(chain, next, order) === null,
    removedFrom: null,
  };
}
