import { isAddress, type Hex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { compareWithOtherProvider } from './compare-providers.ts';
import { createAuthorizationFilters, createTransferFilters, toAddress } from './events.ts';
import { findSettledTransfers } from './find-settled-transfers.ts';
import { findTooBusyWallets } from './find-too-busy-wallets.ts';
import { findKnownLogs, type KnownLog, type KnownLogs } from './known-logs.ts';
import type { PayerLog } from './pair-logs.ts';
import { readCheckedLogs } from './read-checked-logs.ts';
import type { BlockRange } from './read-logs.ts';
import type { Log } from './schemas.ts';

/** A transfer to a requested wallet, with its log. */
interface Transfer extends PayerLog {
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
  readonly log: Log;
}

export interface TransferReading {
  /** Transfers in the order of the chain. */
  readonly transfers: readonly Transfer[];
  /** The transfers that settle an authorization. */
  readonly settled: ReadonlySet<Transfer>;
  /** Wallets whose transfers were left out because they receive too many plain transfers. */
  readonly tooBusy: ReadonlySet<string>;
  /** Last block that was kept. It is before the end of the range when the range holds too many rows for one step. */
  readonly to: bigint;
  /** Smallest number of blocks that a provider accepted after a refusal; null when it refused nothing. */
  readonly refusedDownTo: number | null;
}

/** Burn addresses. Transfers to them are not payments. */
const BURN_ADDRESS = /^0x(0{39}[01]|0*dead|dead0{8}.*|(dead)+)$/;

/** Selects the wallets that can be read: valid addresses in lower case, without duplicates and burn addresses. */
export function selectReadableWallets(wallets: readonly string[]): Hex[] {
  const lower = wallets.map((wallet) => wallet.toLowerCase());
  return [...new Set(lower)].filter(
    (wallet): wallet is Hex => isAddress(wallet, { strict: false }) && !BURN_ADDRESS.test(wallet),
  );
}

function toTransfer(log: Log): Transfer {
  const [, from, to] = log.topics;
  const payer = from && toAddress(from);
  const payTo = to && toAddress(to);
  // The canonical USDC of every network logs two addresses as topics and an amount of 32 bytes as data.
  if (!payer || !payTo || log.topics.length !== 3 || log.data.length !== 66) {
    throw new RpcFailure('unusable', 'sent an invalid transfer log');
  }
  const { transactionHash: transaction, logIndex } = log;
  return { transaction, logIndex, payer, payTo, amount: BigInt(log.data), log };
}

function toAuthorization({ transactionHash: transaction, logIndex, topics: [, authorizer] }: Log): PayerLog {
  const payer = authorizer && toAddress(authorizer);
  if (!payer) throw new RpcFailure('unusable', 'sent an invalid authorization log');
  return { transaction, logIndex, payer };
}

/** Returns the last block up to which there are at most `maxRows` transfers; at least the first block of the range. */
function findLastBlock(transfers: readonly Transfer[], { from, to }: BlockRange, maxRows: number): bigint {
  if (transfers.length <= maxRows) return to;
  const blocks = transfers.map(({ log }) => log.blockNumber).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const exceededIn = blocks[maxRows] ?? to;
  return exceededIn > from ? exceededIn - 1n : from;
}

/** One range in this many is compared with another provider, if there is one. */
const COMPARISON_INTERVAL = 8n;
/** Number of blocks in a range, for counting ranges from the start of the chain. */
const COMPARISON_BLOCKS = 9_000n;

interface TransferReader {
  readonly provider: Provider;
  readonly others: readonly Provider[];
  readonly token: Hex;
  readonly wallets: readonly Hex[];
  readonly maxRows: number;
}

function minOrNull(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Returns the index of the filter whose logs are compared with another provider; null when this range is not compared. */
function selectComparedFilter({ from }: BlockRange, filterCount: number): number | null {
  const rangeNumber = from / COMPARISON_BLOCKS;
  if (rangeNumber % COMPARISON_INTERVAL !== 0n) return null;
  return Number((rangeNumber / COMPARISON_INTERVAL) % BigInt(Math.max(1, filterCount)));
}

/** Reads all transfers to the wallets. Transfers of zero are ignored: they are not payments, and anyone can create them. */
async function readAllTransfers(reader: TransferReader, range: BlockRange, knownLogs: readonly KnownLog[]) {
  let { to } = range;
  let refusedDownTo: number | null = null;
  let transfers: Transfer[] = [];
  const filters = createTransferFilters(reader.token, reader.wallets);
  const compared = selectComparedFilter(range, filters.length);
  for (const [index, filter] of filters.entries()) {
    const part = { range: { from: range.from, to }, knownLogs };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    if (index === compared)
      await compareWithOtherProvider(reader.others, { ...part, filter, logs: reading.logs });
    refusedDownTo = minOrNull(refusedDownTo, reading.refusedDownTo);
    transfers.push(...reading.logs.map(toTransfer).filter(({ amount }) => amount > 0n));
    // Blocks beyond the row limit are read by the next step. The remaining filters are read up to the same block.
    to = findLastBlock(transfers, { from: range.from, to }, reader.maxRows);
    transfers = transfers.filter(({ log }) => log.blockNumber <= to);
  }
  return { transfers, to, refusedDownTo };
}

/** Reads the used authorizations of the payers of some transfers, from the first to the last block of the transfers. */
async function readAuthorizations(
  reader: TransferReader,
  transfers: readonly Transfer[],
  knownLogs: KnownLogs,
) {
  const blocks = transfers.map(({ log }) => log.blockNumber);
  const [first] = blocks;
  let refusedDownTo: number | null = null;
  const authorizations: PayerLog[] = [];
  if (first === undefined) return { authorizations, refusedDownTo };
  const payers = [...new Set(transfers.map(({ payer }) => payer))];
  const range = {
    from: blocks.reduce((a, b) => (a < b ? a : b), first),
    to: blocks.reduce((a, b) => (a > b ? a : b), first),
  };
  for (const filter of createAuthorizationFilters(reader.token, payers)) {
    const part = { range, knownLogs: knownLogs.authorizations };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    refusedDownTo = minOrNull(refusedDownTo, reading.refusedDownTo);
    authorizations.push(...reading.logs.map(toAuthorization));
  }
  return { authorizations, refusedDownTo };
}

/**
 * Reads the transfers to the wallets in a range, and the authorizations that distinguish settlements from plain transfers.
 *
 * @throws RpcFailure when the provider omits logs that it is known to have
 */
export async function readTransfers(reader: TransferReader, range: BlockRange): Promise<TransferReading> {
  const { provider, token } = reader;
  const knownLogs = await findKnownLogs(provider, token, range);
  const { transfers, to, refusedDownTo } = await readAllTransfers(reader, range, knownLogs.transfers);
  const used = await readAuthorizations(reader, transfers, knownLogs);
  transfers.sort((a, b) => Number(a.log.blockNumber - b.log.blockNumber) || a.logIndex - b.logIndex);
  const settled = await findSettledTransfers(provider, token, {
    transfers,
    authorizations: used.authorizations,
  });
  const tooBusy = findTooBusyWallets(
    transfers.filter((transfer) => !settled.has(transfer)),
    { blocks: Number(to - range.from) + 1, wasCut: to < range.to },
  );
  const kept = transfers.filter(({ payTo }) => !tooBusy.has(payTo));
  return {
    transfers: kept,
    settled,
    tooBusy,
    to,
    refusedDownTo: minOrNull(refusedDownTo, used.refusedDownTo),
  };
}
