import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { LogFilter } from './events.ts';
import type { KnownLog } from './known-logs.ts';
import { readLogs, type BlockRange, type LogReading } from './read-logs.ts';
import type { Log } from './schemas.ts';

/** Puts values among others: the first at the end, the second at the beginning, the next in the middle. */
function spread<T>(values: readonly T[], among: readonly T[]): T[] {
  const [last, first, ...between] = among;
  const middle = Math.floor(values.length / 2);
  const parts = [first, ...values.slice(0, middle), ...between, ...values.slice(middle), last];
  return parts.filter((value) => value !== undefined);
}

function sameLog(a: Log, b: Log): boolean {
  return (
    a.blockNumber === b.blockNumber && a.logIndex === b.logIndex && a.transactionHash === b.transactionHash
  );
}

function checkWitnesses(logs: readonly Log[], witnesses: readonly KnownLog[], range: BlockRange): void {
  for (const { log } of witnesses) {
    if (log.blockNumber < range.from || log.blockNumber > range.to) continue;
    if (logs.some((one) => sameLog(one, log))) continue;
    const { blockNumber } = log;
    throw new RpcFailure(
      'unusable',
      `left out block ${blockNumber} of the blocks ${range.from} to ${range.to}`,
    );
  }
}

/**
 * Reads the logs of an event for some addresses, and has the provider prove that it answered for all of it: some clamp a
 * range silently, forget its beginning, take only the first addresses of a list or leave an event out, and an answer
 * without logs looks as if nobody had paid. So witnesses are asked for by the very question that counts, spread among the
 * addresses, and have to be in the answer.
 *
 * @param filter its last topic is the list of addresses
 * @throws RpcFailure for a provider that left a witness out
 */
export async function readCheckedLogs(
  provider: Provider,
  filter: LogFilter,
  { range, witnesses }: { readonly range: BlockRange; readonly witnesses: readonly KnownLog[] },
): Promise<LogReading> {
  const [event, ...rest] = filter.topics;
  const addresses = rest.at(-1) ?? [];
  const wanted = new Set(addresses);
  const others = new Set(witnesses.map(({ topic }) => topic).filter((topic) => !wanted.has(topic)));
  const asked: LogFilter = {
    ...filter,
    topics: [event, ...rest.with(-1, spread(addresses, [...others]))],
  };
  const reading = await readLogs(provider, asked, range);
  checkWitnesses(reading.logs, witnesses, range);
  const isWanted = ({ topics }: Log): boolean => wanted.has(topics[rest.length] ?? '0x');
  return { ...reading, logs: reading.logs.filter(isWanted) };
}
