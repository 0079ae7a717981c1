import { numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { groupByBlock } from './blocks.ts';
import { type LogFilter, AUTHORIZATION_TOPIC, TRANSFER_TOPIC, type Log, logSchema } from './logs.ts';
import { readLogs, type BlockRange, type LogReading } from './read-logs.ts';

/**
 * A log of any account. The log is known to exist. Its topic is added to a filter, and a response without this log is
 * incomplete.
 */
export interface KnownLog {
  readonly log: Log;
  /** Topic of an address that a filter can match: the payee or sender of a transfer, or the authorizer. */
  readonly topic: Hex;
}

export interface KnownLogs {
  readonly transfers: readonly KnownLog[];
  /** Known transfers for filters by sender. */
  readonly sent: readonly KnownLog[];
  readonly authorizations: readonly KnownLog[];
}

/**
 * Selects the first, the middle and the last block of a range, because incomplete responses usually lack one of these
 * blocks.
 */
function selectBlocks({ from, to }: BlockRange): bigint[] {
  return [...new Set([from, to, (from + to) / 2n])];
}

/**
 * Reads all transfers and authorizations of a token in one block. Returns an empty list when the provider refuses the
 * request as too large.
 */
async function readBlockLogs(provider: Provider, token: Hex, block: bigint): Promise<Log[]> {
  const number = numberToHex(block);
  const topics = [[TRANSFER_TOPIC, AUTHORIZATION_TOPIC]];
  const query = { address: token, topics, fromBlock: number, toBlock: number };
  try {
    const result = await provider.call('eth_getLogs', [query], z.array(z.unknown()));
    return result
      .map((item) => logSchema.safeParse(item).data)
      .filter((log) => log?.topics.length === 3 && log.blockNumber === block)
      .filter((log) => log !== undefined);
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'too-large') return [];
    throw error;
  }
}

/**
 * Selects the log whose topic occurs least often. A frequent topic, such as the address of an exchange, would add many
 * logs to later responses, and providers truncate long responses.
 */
function selectRarest(logs: readonly Log[], position: 1 | 2, counts: ReadonlyMap<Hex, number>): KnownLog[] {
  let rarest: KnownLog | undefined;
  const getCount = (topic: Hex): number => counts.get(topic) ?? 0;
  for (const log of logs) {
    const topic = log.topics[position];
    if (topic === undefined) continue;
    if (rarest === undefined || getCount(topic) < getCount(rarest.topic)) rarest = { log, topic };
  }
  return rarest === undefined ? [] : [rarest];
}

/**
 * Finds known logs (logs that exist for certain) in the first, the middle and the last block of a range: at most one
 * transfer for each direction and one authorization per block.
 */
export async function findKnownLogs(provider: Provider, token: Hex, range: BlockRange): Promise<KnownLogs> {
  const blocks: Log[][] = [];
  for (const block of selectBlocks(range)) blocks.push(await readBlockLogs(provider, token, block));
  const counts = new Map<Hex, number>();
  for (const topic of blocks.flat().flatMap(({ topics }) => topics.slice(1))) {
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  const selectByEvent = (event: Hex, position: 1 | 2) => (logs: readonly Log[]) =>
    selectRarest(
      logs.filter(({ topics }) => topics[0] === event),
      position,
      counts,
    );
  return {
    transfers: blocks.flatMap(selectByEvent(TRANSFER_TOPIC, 2)),
    sent: blocks.flatMap(selectByEvent(TRANSFER_TOPIC, 1)),
    authorizations: blocks.flatMap(selectByEvent(AUTHORIZATION_TOPIC, 1)),
  };
}

/** Inserts the first value at the end of a list, the second at the beginning and all further values in the middle. */
function spreadInto<T>(list: readonly T[], values: readonly T[]): T[] {
  const [last, first, ...between] = values;
  const middle = Math.floor(list.length / 2);
  const parts = [first, ...list.slice(0, middle), ...between, ...list.slice(middle), last];
  return parts.filter((value) => value !== undefined);
}

function toLogKey({ blockNumber, logIndex, transactionHash }: Log): string {
  return `${blockNumber} ${logIndex} ${transactionHash}`;
}

function checkKnownLogs(logs: readonly Log[], knownLogs: readonly KnownLog[], range: BlockRange): void {
  const keys = new Set(logs.map(toLogKey));
  for (const { log: known } of knownLogs) {
    if (known.blockNumber < range.from || known.blockNumber > range.to) continue;
    if (keys.has(toLogKey(known))) continue;
    throw new RpcFailure(
      'unusable',
      `omitted logs of block ${known.blockNumber} in the range ${range.from} to ${range.to}`,
    );
  }
}

/**
 * Reads the logs of an event for some addresses, and checks that the response is complete. Some providers silently
 * shorten a range of blocks, leave out the beginning of a range, use only the first addresses of a list or omit an
 * event. An empty response would then wrongly mean that no payment was made. So the topics of known logs are inserted
 * among the addresses of the filter, and the response must contain the known logs.
 *
 * @param filter a filter whose last topic is the list of addresses
 * @throws RpcFailure when the response lacks a known log
 */
export async function readCheckedLogs(
  provider: Provider,
  filter: LogFilter,
  { range, knownLogs }: { readonly range: BlockRange; readonly knownLogs: readonly KnownLog[] },
): Promise<LogReading> {
  const [event, ...rest] = filter.topics;
  const addresses = rest.at(-1) ?? [];
  const requested = new Set(addresses);
  const added = new Set(knownLogs.map(({ topic }) => topic).filter((topic) => !requested.has(topic)));
  const extended: LogFilter = {
    ...filter,
    topics: [event, ...rest.with(-1, spreadInto(addresses, [...added]))],
  };
  const reading = await readLogs(provider, extended, range);
  checkKnownLogs(reading.logs, knownLogs, range);
  const isRequested = ({ topics }: Log): boolean => requested.has(topics[rest.length] ?? '0x');
  return { ...reading, logs: reading.logs.filter(isRequested) };
}

interface ComparedReading {
  readonly filter: LogFilter;
  readonly range: BlockRange;
  readonly knownLogs: readonly KnownLog[];
  /** Logs that the first provider returned for the filter. */
  readonly logs: readonly Log[];
}

/** Reads the logs from a provider. Returns null when the provider does not respond or its response is invalid. */
async function tryReadLogs(
  provider: Provider,
  filter: LogFilter,
  part: Pick<ComparedReading, 'range' | 'knownLogs'>,
): Promise<readonly Log[] | null> {
  try {
    const { logs } = await readCheckedLogs(provider, filter, part);
    groupByBlock(logs);
    return logs;
  } catch (error) {
    if (error instanceof RpcFailure) return null;
    throw error;
  }
}

/**
 * Requests the same logs from the other providers, one after another, until a response is complete. Compares this
 * response with the given logs. When no other provider returns a complete response, nothing is compared.
 *
 * @throws RpcFailure when the two providers returned different logs, because either provider may be wrong
 */
export async function compareWithOtherProvider(
  others: readonly Provider[],
  { filter, range, knownLogs, logs }: ComparedReading,
): Promise<void> {
  for (const other of others) {
    const otherLogs = await tryReadLogs(other, filter, { range, knownLogs });
    if (otherLogs === null) continue;
    const keys = new Set(logs.map(toLogKey));
    if (otherLogs.length === keys.size && otherLogs.every((log) => keys.has(toLogKey(log)))) return;
    throw new RpcFailure(
      'unusable',
      `has other logs of the blocks ${range.from} to ${range.to} than another provider`,
    );
  }
}
