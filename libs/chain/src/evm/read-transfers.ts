import { isAddress, type Hex } from 'viem';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import {
  compareWithOtherProvider,
  findKnownLogs,
  type KnownLogs,
  readCheckedLogs,
} from './read-checked-logs.ts';
import { AUTHORIZATION_TOPIC, createLogFilters, toAddress, TRANSFER_TOPIC, type Log } from './logs.ts';
import { findSettledTransfers, type PayerLog } from './find-settled-transfers.ts';
import type { BlockRange } from './read-logs.ts';

/**
 * Maximum number of plain transfers (without an authorization) to one wallet in one step. A wallet with more plain
 * transfers is too busy to be read.
 */
const MAX_PLAIN_TRANSFERS = 1_000;
/**
 * Number of blocks of a full reading step. `MAX_PLAIN_TRANSFERS` is the maximum for a full step. If the row limit cuts
 * a step to half of these blocks, the maximum is half.
 */
const FULL_STEP_BLOCKS = 9_000;
/** Smallest maximum number of plain transfers to one wallet, for a step with only a few blocks. */
const MIN_PLAIN_TRANSFERS = 20;

interface StepSize {
  readonly blocks: number;
  /** True if the step was shortened because the requested blocks have more transfers than the row limit. */
  readonly wasCut: boolean;
}

/**
 * Number of transfers from a wallet, for each authorized payment to the wallet, that do not count towards the maximum.
 * A seller may forward each payment, or buy for each payment from other sellers.
 */
const MAX_SENT_PER_PAYMENT = 10;

/** Returns the requested wallet whose filter matched a transfer. */
function getWallet({ isSent, payer, payTo }: Transfer): Hex {
  return isSent ? payer : payTo;
}

/**
 * Finds the wallets that receive or send too many plain transfers to read all of them. Anyone can advertise the address
 * of an exchange as payee, and reading the transfers of that exchange would delay all other wallets of the network.
 * Authorized payments, and the transfers from a wallet that these payments can explain, do not count towards the
 * maximum.
 */
function findTooBusyWallets(
  { transfers, settled }: Pick<TransferReading, 'transfers' | 'settled'>,
  { blocks, wasCut }: StepSize,
): ReadonlySet<string> {
  const share = Math.max(MIN_PLAIN_TRANSFERS, Math.ceil((MAX_PLAIN_TRANSFERS * blocks) / FULL_STEP_BLOCKS));
  const limit = wasCut ? Math.min(share, MAX_PLAIN_TRANSFERS) : MAX_PLAIN_TRANSFERS;
  const isTooBusy = (own: readonly Transfer[]): boolean => {
    const paid = own.filter((transfer) => settled.has(transfer)).length;
    const sent = own.filter(({ isSent }) => isSent).length;
    return own.length - paid - Math.min(sent, paid * MAX_SENT_PER_PAYMENT) > limit;
  };
  const byWallet = Map.groupBy(transfers, getWallet);
  return new Set([...byWallet].filter(([, own]) => isTooBusy(own)).map(([wallet]) => wallet));
}

/** A transfer to or from one of the requested wallets, with the log that records it. */
interface Transfer extends PayerLog {
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
  /** True for a transfer from a requested wallet, and false for a transfer to a requested wallet. */
  readonly isSent: boolean;
  readonly log: Log;
}

export interface TransferReading {
  /** Transfers in the order of their blocks and log indexes. */
  readonly transfers: readonly Transfer[];
  /** The transfers that settle an EIP-3009 authorization. */
  readonly settled: ReadonlySet<Transfer>;
  /** Wallets that receive or send too many plain transfers. Their transfers are left out. */
  readonly tooBusy: ReadonlySet<string>;
  /**
   * Last block whose transfers were kept. If a range has more transfers than the row limit, the last blocks of the
   * range are dropped.
   */
  readonly to: bigint;
  /**
   * Reduced number of blocks per request, after the provider refused a larger request or timed out; null without a
   * refusal or timeout.
   */
  readonly refusedDownTo: number | null;
}

/** Burn addresses. Transfers to burn addresses are not payments. */
const BURN_ADDRESS = /^0x(0{39}[01]|0*dead|dead0{8}.*|(dead)+)$/;

/**
 * Selects the wallets that can be read: valid addresses except burn addresses, in lower case and without duplicates.
 */
export function selectReadableWallets(wallets: readonly string[]): Hex[] {
  const lower = wallets.map((wallet) => wallet.toLowerCase());
  return [...new Set(lower)].filter(
    (wallet): wallet is Hex => isAddress(wallet, { strict: false }) && !BURN_ADDRESS.test(wallet),
  );
}

function toTransfer(log: Log, isSent: boolean): Transfer {
  const [, from, to] = log.topics;
  const payer = from && toAddress(from);
  const payTo = to && toAddress(to);
  // A transfer log of USDC has two addresses as topics and an amount of 32 bytes as data, on every network.
  if (!payer || !payTo || log.topics.length !== 3 || log.data.length !== 66) {
    throw new RpcFailure('unusable', 'sent an invalid transfer log');
  }
  const { transactionHash: transaction, logIndex } = log;
  return { transaction, logIndex, payer, payTo, amount: BigInt(log.data), isSent, log };
}

function toAuthorization({ transactionHash: transaction, logIndex, topics: [, authorizer] }: Log): PayerLog {
  const payer = authorizer && toAddress(authorizer);
  if (!payer) throw new RpcFailure('unusable', 'sent an invalid authorization log');
  return { transaction, logIndex, payer };
}

/**
 * Returns the last block to keep, so that the range has at most `maxRows` transfers. The first block is always kept,
 * even when it has more transfers.
 */
function findLastBlock(transfers: readonly Transfer[], { from, to }: BlockRange, maxRows: number): bigint {
  if (transfers.length <= maxRows) return to;
  const blocks = transfers.map(({ log }) => log.blockNumber).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const exceededIn = blocks[maxRows] ?? to;
  return exceededIn > from ? exceededIn - 1n : from;
}

/**
 * Number of ranges per comparison: every eighth range is compared with another provider, if another provider exists.
 */
const COMPARISON_INTERVAL = 8n;
/** Number of blocks in each range that `COMPARISON_INTERVAL` counts. The first range starts at block 0. */
const COMPARISON_BLOCKS = 9_000n;

interface TransferReader {
  readonly provider: Provider;
  readonly others: readonly Provider[];
  readonly token: Hex;
  readonly wallets: readonly Hex[];
  readonly maxRows: number;
}

function findSmaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * Returns the index of the filter whose logs are compared with another provider; null when the range is not compared.
 */
function selectComparedFilter({ from }: BlockRange, filterCount: number): number | null {
  const rangeNumber = from / COMPARISON_BLOCKS;
  if (rangeNumber % COMPARISON_INTERVAL !== 0n) return null;
  return Number((rangeNumber / COMPARISON_INTERVAL) % BigInt(Math.max(1, filterCount)));
}

function createFilters({ token, wallets }: TransferReader, known: KnownLogs) {
  const transfers = { token, event: TRANSFER_TOPIC };
  const received = createLogFilters({ ...transfers, position: 2 }, wallets);
  const sent = createLogFilters({ ...transfers, position: 1 }, wallets);
  return [
    ...received.map((filter) => ({ filter, knownLogs: known.transfers, isSent: false })),
    ...sent.map((filter) => ({ filter, knownLogs: known.sent, isSent: true })),
  ];
}

/**
 * Reads all transfers to and from the wallets, up to the row limit. Transfers of amount zero are ignored: anyone can
 * create such transfers, and no money is paid.
 */
async function readAllTransfers(reader: TransferReader, range: BlockRange, known: KnownLogs) {
  let { to } = range;
  let refusedDownTo: number | null = null;
  let transfers: Transfer[] = [];
  const filters = createFilters(reader, known);
  const compared = selectComparedFilter(range, filters.length);
  for (const [index, { filter, knownLogs, isSent }] of filters.entries()) {
    const part = { range: { from: range.from, to }, knownLogs };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    if (index === compared)
      await compareWithOtherProvider(reader.others, { ...part, filter, logs: reading.logs });
    refusedDownTo = findSmaller(refusedDownTo, reading.refusedDownTo);
    const read = reading.logs.map((log) => toTransfer(log, isSent));
    transfers.push(...read.filter(({ amount }) => amount > 0n));
    // The next step reads the blocks beyond the row limit. The remaining filters are read up to the same last block.
    to = findLastBlock(transfers, { from: range.from, to }, reader.maxRows);
    transfers = transfers.filter(({ log }) => log.blockNumber <= to);
  }
  return { transfers, to, refusedDownTo };
}

/**
 * Reads the used authorizations of the payers, from the block of the first transfer to the block of the last transfer.
 */
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
  const used = { token: reader.token, event: AUTHORIZATION_TOPIC, position: 1 } as const;
  for (const filter of createLogFilters(used, payers)) {
    const part = { range, knownLogs: knownLogs.authorizations };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    refusedDownTo = findSmaller(refusedDownTo, reading.refusedDownTo);
    authorizations.push(...reading.logs.map(toAuthorization));
  }
  return { authorizations, refusedDownTo };
}

/**
 * Reads the transfers to and from the wallets in a range of blocks. Also reads the authorizations of the payers of the
 * wallets, because a settlement has an authorization and a plain transfer has none.
 *
 * @throws RpcFailure when the provider omits a log that is known to exist
 */
export async function readTransfers(reader: TransferReader, range: BlockRange): Promise<TransferReading> {
  const { provider, token } = reader;
  const knownLogs = await findKnownLogs(provider, token, range);
  const { transfers, to, refusedDownTo } = await readAllTransfers(reader, range, knownLogs);
  transfers.sort((a, b) => Number(a.log.blockNumber - b.log.blockNumber) || a.logIndex - b.logIndex);
  const received = transfers.filter(({ isSent }) => !isSent);
  const used = await readAuthorizations(reader, received, knownLogs);
  const settled = await findSettledTransfers(provider, token, {
    transfers: received,
    authorizations: used.authorizations,
  });
  const tooBusy = findTooBusyWallets(
    { transfers, settled },
    { blocks: Number(to - range.from) + 1, wasCut: to < range.to },
  );
  const kept = transfers.filter((transfer) => !tooBusy.has(getWallet(transfer)));
  return {
    transfers: kept,
    settled,
    tooBusy,
    to,
    refusedDownTo: findSmaller(refusedDownTo, used.refusedDownTo),
  };
}
