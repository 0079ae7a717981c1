import { numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { LogFilter } from './events.ts';
import { logSchema, voidLogSchema, type Log } from './schemas.ts';

/** Both ends are inside. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

export interface LogReading {
  /** Every log of the range once. */
  readonly logs: readonly Log[];
  /** The most blocks that were answered for at once, when the whole was refused; null when it was not. */
  readonly refusedDownTo: number | null;
}

/** Providers cap silently at round numbers (10,000 as a rule), so an answer of such a size is not believed. */
const ROUND = 1_000;
/** A range may take too long because it is too wide; a provider that is slow for every range is left. */
const SLOW_ANSWERS = 3;

const answerSchema = z.array(z.unknown());

type Matches = (log: Log, range: BlockRange) => boolean;

function matcherOf(filter: LogFilter): Matches {
  const wanted = filter.topics.map((topic) =>
    topic === null ? null : new Set<Hex>(typeof topic === 'string' ? [topic] : topic),
  );
  return (log, { from, to }) =>
    log.address === filter.address &&
    log.blockNumber >= from &&
    log.blockNumber <= to &&
    wanted.every((set, place) => {
      const topic = log.topics[place];
      return topic !== undefined && (set === null || set.has(topic));
    });
}

/** The logs of an answer that were asked for: what lies outside, is void or comes twice is passed over. */
function readAnswer(answer: readonly unknown[], matches: Matches, range: BlockRange): Log[] {
  const logs = new Map<string, Log>();
  for (const given of answer) {
    if (voidLogSchema.safeParse(given).success) continue;
    const { success, data: log } = logSchema.safeParse(given);
    if (!success) throw new RpcFailure('unusable', 'answered a log that is none');
    if (!matches(log, range)) continue;
    const key = `${log.blockNumber} ${log.logIndex}`;
    const same = logs.get(key);
    if (same !== undefined && (same.transactionHash !== log.transactionHash || same.data !== log.data)) {
      throw new RpcFailure('unusable', 'answered two logs for one place');
    }
    logs.set(key, log);
  }
  return [...logs.values()];
}

/** The filter in two, each with half the values of its longest list; null where no list can be halved. */
function halve({ address, topics: [event, ...rest] }: LogFilter): LogFilter[] | null {
  const place = rest.findIndex((values) => values !== null && values.length > 1);
  const values = rest[place];
  if (!values) return null;
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)].map((half) => ({
    address,
    topics: [event, ...rest.with(place, half)],
  }));
}

async function askOnce(provider: Provider, filter: LogFilter, range: BlockRange): Promise<unknown[]> {
  const query = { ...filter, fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) };
  return provider.call('eth_getLogs', [query], answerSchema);
}

/** Null where the provider refuses to answer for so much. */
async function ask(provider: Provider, filter: LogFilter, range: BlockRange): Promise<unknown[] | null> {
  try {
    const answer = await askOnce(provider, filter, range);
    return answer.length >= ROUND && answer.length % ROUND === 0 ? null : answer;
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'too-much') return null;
    throw error;
  }
}

/** A single block that was refused: the values of the filter are halved, down to one, which is asked for as it is. */
async function readBlock(provider: Provider, filter: LogFilter, range: BlockRange): Promise<Log[]> {
  const halves = halve(filter);
  if (halves === null) return readAnswer(await askOnce(provider, filter, range), matcherOf(filter), range);
  const logs: Log[] = [];
  for (const half of halves) {
    const answer = await ask(provider, half, range);
    logs.push(
      ...(answer === null
        ? await readBlock(provider, half, range)
        : readAnswer(answer, matcherOf(half), range)),
    );
  }
  return logs;
}

/** The logs of some blocks, or why they are to be asked for in parts. */
async function readPart(
  provider: Provider,
  filter: LogFilter,
  part: BlockRange,
): Promise<Log[] | 'too-much' | 'slow'> {
  const divisible = part.to > part.from;
  try {
    const answer = await ask(provider, filter, part);
    if (answer !== null) return readAnswer(answer, matcherOf(filter), part);
    return divisible ? 'too-much' : await readBlock(provider, filter, part);
  } catch (error) {
    if (divisible && error instanceof RpcFailure && error.kind === 'slow') return 'slow';
    throw error;
  }
}

/**
 * Reads the logs of a range, every block of it exactly once: where the provider refuses so many blocks, or answers as
 * many logs as if it had stopped counting, the rest is asked for in smaller parts, and nothing is skipped.
 *
 * @throws RpcFailure when the provider does not answer for a single block either
 */
export async function readLogs(
  provider: Provider,
  filter: LogFilter,
  range: BlockRange,
): Promise<LogReading> {
  const logs: Log[] = [];
  const whole = range.to - range.from + 1n;
  let size = whole;
  let slow = 0;
  for (let from = range.from; from <= range.to;) {
    const end = from + size - 1n;
    const part = { from, to: end < range.to ? end : range.to };
    const read = await readPart(provider, filter, part);
    if (typeof read !== 'string') {
      for (const log of read) logs.push(log);
      from = part.to + 1n;
      continue;
    }
    if (read === 'slow' && (slow += 1) === SLOW_ANSWERS) throw new RpcFailure('unusable', 'is too slow');
    size = (part.to - part.from + 1n) / 2n;
  }
  return { logs, refusedDownTo: size < whole ? Number(size) : null };
}
