import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { groupByBlock } from './block-times.ts';
import type { LogFilter } from './events.ts';
import type { KnownLog } from './known-logs.ts';
import { readCheckedLogs } from './read-checked-logs.ts';
import type { BlockRange } from './read-logs.ts';
import type { Log } from './schemas.ts';

interface ComparedReading {
  readonly filter: LogFilter;
  readonly range: BlockRange;
  readonly knownLogs: readonly KnownLog[];
  /** Logs that the first provider returned for the filter. */
  readonly logs: readonly Log[];
}

const toLogKey = ({ blockNumber, logIndex, transactionHash }: Log): string =>
  `${blockNumber} ${logIndex} ${transactionHash}`;

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
