import { isAddress, type Hex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { addressIn, authorizationFilters, transferFilters } from './events.ts';
import { pairLogs, type PayerLog } from './pair-logs.ts';
import { readLogs, type BlockRange } from './read-logs.ts';
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
  /** Last block that was kept: before the end of the range where it holds more than a step may. */
  readonly to: bigint;
  /** The fewest blocks that were answered for at once by any query that was refused. */
  readonly refusedDownTo: number | null;
}

/** What is sent there is burnt, not paid: no payTo of anybody. */
const BURNS = /^0x(0{39}[01]|0*dead|dead0{8}.*|(dead)+)$/;

/** The wallets that can be read: addresses, in lower case, each once, that burn nothing. */
export function readableWallets(wallets: readonly string[]): Hex[] {
  const lower = wallets.map((wallet) => wallet.toLowerCase());
  return [...new Set(lower)].filter(
    (wallet): wallet is Hex => isAddress(wallet, { strict: false }) && !BURNS.test(wallet),
  );
}

function toTransfer(log: Log): Transfer {
  const [, from, to] = log.topics;
  const payer = from && addressIn(from);
  const payTo = to && addressIn(to);
  // A token that is the canonical USDC of its network logs both addresses and 32 bytes of amount.
  if (!payer || !payTo || log.topics.length !== 3 || log.data.length !== 66) {
    throw new RpcFailure('unusable', 'answered a transfer that is none');
  }
  const { transactionHash: transaction, logIndex } = log;
  return { transaction, logIndex, payer, payTo, amount: BigInt(log.data), log };
}

function toAuthorization({ transactionHash: transaction, logIndex, topics: [, authorizer] }: Log): PayerLog {
  const payer = authorizer && addressIn(authorizer);
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

interface Reader {
  readonly provider: Provider;
  readonly token: Hex;
  readonly wallets: readonly Hex[];
  readonly maxRows: number;
}

function fewest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Transfers of zero are no payments, and anybody can write them into anybody's history. */
async function readAllTransfers(reader: Reader, range: BlockRange) {
  let { to } = range;
  let refusedDownTo: number | null = null;
  let transfers: Transfer[] = [];
  for (const filter of transferFilters(reader.token, reader.wallets)) {
    const reading = await readLogs(reader.provider, filter, { from: range.from, to });
    refusedDownTo = fewest(refusedDownTo, reading.refusedDownTo);
    transfers.push(...reading.logs.map(toTransfer).filter(({ amount }) => amount > 0n));
    // What no longer fits is read again by the next step; the other wallets are read up to there only.
    to = lastBlockOf(transfers, { from: range.from, to }, reader.maxRows);
    transfers = transfers.filter(({ log }) => log.blockNumber <= to);
  }
  return { transfers, to, refusedDownTo };
}

/** Reads the transfers to the wallets in a range, and the authorizations that tell settlements from the others. */
export async function readTransfers(reader: Reader, range: BlockRange): Promise<TransferReading> {
  const { transfers, to, refusedDownTo } = await readAllTransfers(reader, range);
  let refused = refusedDownTo;
  const blocks = transfers.map(({ log }) => log.blockNumber);
  const payers = [...new Set(transfers.map(({ payer }) => payer))];
  const authorizations: PayerLog[] = [];
  const first = blocks.reduce((a, b) => (a < b ? a : b), to);
  const last = blocks.reduce((a, b) => (a > b ? a : b), range.from);
  for (const filter of authorizationFilters(reader.token, payers)) {
    const reading = await readLogs(reader.provider, filter, { from: first, to: last });
    refused = fewest(refused, reading.refusedDownTo);
    authorizations.push(...reading.logs.map(toAuthorization));
  }
  transfers.sort((a, b) => Number(a.log.blockNumber - b.log.blockNumber) || a.logIndex - b.logIndex);
  return { transfers, settled: pairLogs(transfers, authorizations), to, refusedDownTo: refused };
}
