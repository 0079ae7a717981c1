import { isAddress, type Hex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { compareWithOtherProvider } from './compare-providers.ts';
import { toAddress, createAuthorizationFilters, createTransferFilters } from './events.ts';
import { findSettledTransfers } from './find-settled-transfers.ts';
import { findTooBusyWallets } from './find-too-busy-wallets.ts';
import { findKnownLogs, type KnownLog, type KnownLogs } from './known-logs.ts';
import type { PayerLog } from './pair-logs.ts';
import type { BlockRange } from './read-logs.ts';
import { readCheckedLogs } from './read-checked-logs.ts';
import type { Log } from './schemas.ts';

/** A transfer to a watched wallet, with the log it was read from. */
interface Transfer extends PayerLog {
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
  readonly log: Log;
}

export interface TransferReading {
  /** In the order of the chain. */
  readonly transfers: readonly Transfer[];
  /** Those of them that settle an authorization. */
  readonly settled: ReadonlySet<Transfer>;
  /** Wallets whose transfers were left out because there are too many that nobody signed. */
  readonly tooBusy: ReadonlySet<string>;
  /** Last block that was kept: before the end of the range where it holds more than a step may. */
  readonly to: bigint;
  /** The fewest blocks that were answered for at once by any query that was refused. */
  readonly refusedDownTo: number | null;
}

/** What is sent there is burnt, not paid: no payTo of anybody. */
const BURNS = /^0x(0{39}[01]|0*dead|dead0{8}.*|(dead)+)$/;

/** The wallets that can be read: addresses, in lower case, each once, that burn nothing. */
export function selectReadableWallets(wallets: readonly string[]): Hex[] {
  const lower = wallets.map((wallet) => wallet.toLowerCase());
  return [...new Set(lower)].filter(
    (wallet): wallet is Hex => isAddress(wallet, { strict: false }) && !BURNS.test(wallet),
  );
}

function toTransfer(log: Log): Transfer {
  const [, from, to] = log.topics;
  const payer = from && toAddress(from);
  const payTo = to && toAddress(to);
  // A token that is the canonical USDC of its network logs both addresses and 32 bytes of amount.
  if (!payer || !payTo || log.topics.length !== 3 || log.data.length !== 66) {
    throw new RpcFailure('unusable', 'answered a transfer that is none');
  }
  const { transactionHash: transaction, logIndex } = log;
  return { transaction, logIndex, payer, payTo, amount: BigInt(log.data), log };
}

function toAuthorization({ transactionHash: transaction, logIndex, topics: [, authorizer] }: Log): PayerLog {
  const payer = authorizer && toAddress(authorizer);
  if (!payer) throw new RpcFailure('unusable', 'answered an authorization that is none');
  return { transaction, logIndex, payer };
}

/** The last block up to which there are no more transfers than may be; the first of the range at least. */
function lastBlockOf(transfers: readonly Transfer[], { from, to }: BlockRange, maxRows: number): bigint {
  if (transfers.length <= maxRows) return to;
  const blocks = transfers.map(({ log }) => log.blockNumber).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const over = blocks[maxRows] ?? to;
  return over > from ? over - 1n : from;
}

/** One range of so many is compared with another provider, where there is one. */
const COMPARED = 8n;
const COMPARED_BLOCKS = 9_000n;

interface Reader {
  readonly provider: Provider;
  readonly others: readonly Provider[];
  readonly token: Hex;
  readonly wallets: readonly Hex[];
  readonly maxRows: number;
}

function fewest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Which of the filters of a range is compared with another provider; null where none is. */
function comparedOf({ from }: BlockRange, filters: number): number | null {
  const turn = from / COMPARED_BLOCKS;
  return turn % COMPARED === 0n ? Number((turn / COMPARED) % BigInt(Math.max(1, filters))) : null;
}

/** Transfers of zero are no payments, and anybody can write them into anybody's history. */
async function readAllTransfers(reader: Reader, range: BlockRange, witnesses: readonly KnownLog[]) {
  let { to } = range;
  let refusedDownTo: number | null = null;
  let transfers: Transfer[] = [];
  const filters = createTransferFilters(reader.token, reader.wallets);
  const compared = comparedOf(range, filters.length);
  for (const [index, filter] of filters.entries()) {
    const part = { range: { from: range.from, to }, witnesses };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    if (index === compared)
      await compareWithOtherProvider(reader.others, { ...part, filter, logs: reading.logs });
    refusedDownTo = fewest(refusedDownTo, reading.refusedDownTo);
    transfers.push(...reading.logs.map(toTransfer).filter(({ amount }) => amount > 0n));
    // What no longer fits is read again by the next step; the other wallets are read up to there only.
    to = lastBlockOf(transfers, { from: range.from, to }, reader.maxRows);
    transfers = transfers.filter(({ log }) => log.blockNumber <= to);
  }
  return { transfers, to, refusedDownTo };
}

/** The authorizations that the payers of some transfers signed, from the first of these transfers to the last. */
async function readAuthorizations(reader: Reader, transfers: readonly Transfer[], witnesses: KnownLogs) {
  const blocks = transfers.map(({ log }) => log.blockNumber);
  const [one] = blocks;
  let refusedDownTo: number | null = null;
  const authorizations: PayerLog[] = [];
  if (one === undefined) return { authorizations, refusedDownTo };
  const payers = [...new Set(transfers.map(({ payer }) => payer))];
  const range = {
    from: blocks.reduce((a, b) => (a < b ? a : b), one),
    to: blocks.reduce((a, b) => (a > b ? a : b), one),
  };
  for (const filter of createAuthorizationFilters(reader.token, payers)) {
    const part = { range, witnesses: witnesses.authorizations };
    const reading = await readCheckedLogs(reader.provider, filter, part);
    refusedDownTo = fewest(refusedDownTo, reading.refusedDownTo);
    authorizations.push(...reading.logs.map(toAuthorization));
  }
  return { authorizations, refusedDownTo };
}

/**
 * Reads the transfers to the wallets in a range, and the authorizations that tell settlements from the others.
 *
 * @throws RpcFailure for a provider that left out what it is known to have
 */
export async function readTransfers(reader: Reader, range: BlockRange): Promise<TransferReading> {
  const { provider, token } = reader;
  const witnesses = await findKnownLogs(provider, token, range);
  const { transfers, to, refusedDownTo } = await readAllTransfers(reader, range, witnesses.transfers);
  const used = await readAuthorizations(reader, transfers, witnesses);
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
  return { transfers: kept, settled, tooBusy, to, refusedDownTo: fewest(refusedDownTo, used.refusedDownTo) };
}
