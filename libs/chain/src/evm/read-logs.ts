import { numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { type LogFilter, logSchema, voidLogSchema, type Log } from './logs.ts';

/** A range of blocks that includes both ends. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

export interface LogReading {
  /** All logs of the range, without duplicates. */
  readonly logs: readonly Log[];
  /**
   * Reduced number of blocks per request, after the provider refused a larger request or failed; null without a
   * refusal or failure.
   */
  readonly refusedDownTo: number | null;
}

/**
 * Unit of truncated results, in logs. Providers silently truncate results at a multiple of this number, usually at
 * 10,000. A result with such a length is read again in parts.
 */
const TRUNCATION_UNIT = 1_000;
/** Number of failed parts of a range after which the provider counts as failed. */
const MAX_FAILURES = 3;
/**
 * Kinds of failures that a smaller part can avoid. A provider can be unavailable for large parts alone: some providers
 * report an overload instead of the size.
 */
const AVOIDABLE_KINDS: ReadonlySet<string> = new Set(['slow', 'unavailable']);

const resultSchema = z.array(z.unknown());

type LogMatcher = (log: Log, range: BlockRange) => boolean;

function createMatcher(filter: LogFilter): LogMatcher {
  const accepted = filter.topics.map((topic) =>
    topic === null ? null : new Set<Hex>(typeof topic === 'string' ? [topic] : topic),
  );
  return (log, { from, to }) =>
    log.address === filter.address &&
    log.blockNumber >= from &&
    log.blockNumber <= to &&
    accepted.every((values, position) => {
      const topic = log.topics[position];
      return topic !== undefined && (values === null || values.has(topic));
    });
}

/**
 * Parses the logs of a result. Duplicates, logs that do not match the request, and removed or pending logs are ignored.
 */
function parseLogs(result: readonly unknown[], matches: LogMatcher, range: BlockRange): Log[] {
  const logs = new Map<string, Log>();
  for (const item of result) {
    if (voidLogSchema.safeParse(item).success) continue;
    const { success, data: log } = logSchema.safeParse(item);
    if (!success) throw new RpcFailure('unusable', 'sent an invalid log');
    if (!matches(log, range)) continue;
    const key = `${log.blockNumber} ${log.logIndex}`;
    const same = logs.get(key);
    if (same !== undefined && (same.transactionHash !== log.transactionHash || same.data !== log.data)) {
      throw new RpcFailure('unusable', 'sent two different logs with the same index');
    }
    logs.set(key, log);
  }
  return [...logs.values()];
}

/**
 * Splits a filter into two filters with half of the addresses each. Returns null when the filter has only one address.
 */
function halve({ address, topics: [event, ...rest] }: LogFilter): LogFilter[] | null {
  const position = rest.findIndex((values) => values !== null && values.length > 1);
  const values = rest[position];
  if (!values) return null;
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)].map((half) => ({
    address,
    topics: [event, ...rest.with(position, half)],
  }));
}

async function getLogs(provider: Provider, filter: LogFilter, range: BlockRange): Promise<unknown[]> {
  const query = { ...filter, fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) };
  return provider.call('eth_getLogs', [query], resultSchema);
}

/**
 * Requests the logs of a range. Returns null when the provider refuses the request as too large, or when the length of
 * the result suggests that it is truncated.
 */
async function getCompleteLogs(
  provider: Provider,
  filter: LogFilter,
  range: BlockRange,
): Promise<unknown[] | null> {
  try {
    const result = await getLogs(provider, filter, range);
    return result.length >= TRUNCATION_UNIT && result.length % TRUNCATION_UNIT === 0 ? null : result;
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'too-large') return null;
    throw error;
  }
}

/**
 * Reads a single block that the provider refused as too large. The addresses of the filter are halved until the
 * provider accepts. The result for a single address is accepted even if it may be truncated.
 */
async function readBlock(provider: Provider, filter: LogFilter, range: BlockRange): Promise<Log[]> {
  const halves = halve(filter);
  if (halves === null) return parseLogs(await getLogs(provider, filter, range), createMatcher(filter), range);
  const logs: Log[] = [];
  for (const half of halves) {
    const result = await getCompleteLogs(provider, half, range);
    logs.push(
      ...(result === null
        ? await readBlock(provider, half, range)
        : parseLogs(result, createMatcher(half), range)),
    );
  }
  return logs;
}

/** Reads the logs of a part of a block range. Returns `too-large` or a failure when the part must be divided further. */
async function readPart(
  provider: Provider,
  filter: LogFilter,
  part: BlockRange,
): Promise<Log[] | 'too-large' | RpcFailure> {
  const isDivisible = part.to > part.from;
  try {
    const result = await getCompleteLogs(provider, filter, part);
    if (result !== null) return parseLogs(result, createMatcher(filter), part);
    return isDivisible ? 'too-large' : await readBlock(provider, filter, part);
  } catch (error) {
    if (isDivisible && error instanceof RpcFailure && AVOIDABLE_KINDS.has(error.kind)) return error;
    throw error;
  }
}

/**
 * Reads the logs of a range of blocks, each block exactly once. When the provider refuses a request as too large, fails
 * or returns a result that seems truncated, the remaining blocks are read in smaller parts. No block is skipped.
 *
 * @throws RpcFailure when the provider refuses a single block too, or fails three times
 */
export async function readLogs(
  provider: Provider,
  filter: LogFilter,
  range: BlockRange,
): Promise<LogReading> {
  const logs: Log[] = [];
  const whole = range.to - range.from + 1n;
  let size = whole;
  let failures = 0;
  for (let from = range.from; from <= range.to;) {
    const end = from + size - 1n;
    const part = { from, to: end < range.to ? end : range.to };
    const read = await readPart(provider, filter, part);
    if (Array.isArray(read)) {
      for (const log of read) logs.push(log);
      from = part.to + 1n;
      continue;
    }
    if (read instanceof RpcFailure && (failures += 1) === MAX_FAILURES) throw read;
    size = (part.to - part.from + 1n) / 2n;
  }
  return { logs, refusedDownTo: size < whole ? Number(size) : null };
}
