import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { LogFilter } from './events.ts';
import type { KnownLog } from './known-logs.ts';
import { readLogs, type BlockRange, type LogReading } from './read-logs.ts';
import type { Log } from './schemas.ts';

/** Inserts the first value at the end of a list, the second at the beginning and all further values in the middle. */
function spreadInto<T>(list: readonly T[], values: readonly T[]): T[] {
  const [last, first, ...between] = values;
  const middle = Math.floor(list.length / 2);
  const parts = [first, ...list.slice(0, middle), ...between, ...list.slice(middle), last];
  return parts.filter((value) => value !== undefined);
}

function isSameLog(a: Log, b: Log): boolean {
  return (
    a.blockNumber === b.blockNumber && a.logIndex === b.logIndex && a.transactionHash === b.transactionHash
  );
}

function checkKnownLogs(logs: readonly Log[], knownLogs: readonly KnownLog[], range: BlockRange): void {
  for (const { log: known } of knownLogs) {
    if (known.blockNumber < range.from || known.blockNumber > range.to) continue;
    if (logs.some((log) => isSameLog(log, known))) continue;
    throw new RpcFailure(
      'unusable',
      `omitted logs of block ${known.blockNumber} in the range ${range.from} to ${range.to}`,
    );
  }
}

/**
 * Reads the logs of an event for some addresses, and checks that the response is complete. Some providers silently
 * shorten a range, lack its beginning, use only the first addresses of a list or omit an event. An empty response would
 * then look as if no payment was made. So the topics of known logs are inserted among the addresses of the filter, and
 * the response must contain the known logs.
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
