import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { groupByBlock } from './block-times.ts';
import type { LogFilter } from './events.ts';
import type { KnownLog } from './known-logs.ts';
import type { BlockRange } from './read-logs.ts';
import { readCheckedLogs } from './read-checked-logs.ts';
import type { Log } from './schemas.ts';

interface Compared {
  readonly filter: LogFilter;
  readonly range: BlockRange;
  readonly witnesses: readonly KnownLog[];
  /** What the provider answered to the filter. */
  readonly logs: readonly Log[];
}

const keyOf = ({ blockNumber, logIndex, transactionHash }: Log): string =>
  `${blockNumber} ${logIndex} ${transactionHash}`;

/** Null where the provider does not answer, or answers what cannot be. */
async function answerOf(
  provider: Provider,
  filter: LogFilter,
  part: Pick<Compared, 'range' | 'witnesses'>,
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
 * Asks another provider the same question. The first that answers and proves that it answers for all of it is compared
 * with; where none does, nothing is said.
 *
 * @throws RpcFailure where the two differ: nobody can tell which of them is right
 */
export async function compareWithOtherProvider(
  others: readonly Provider[],
  { filter, range, witnesses, logs }: Compared,
): Promise<void> {
  for (const other of others) {
    const answer = await answerOf(other, filter, { range, witnesses });
    if (answer === null) continue;
    const known = new Set(logs.map(keyOf));
    if (answer.length === known.size && answer.every((log) => known.has(keyOf(log)))) return;
    throw new RpcFailure(
      'unusable',
      `has other logs of the blocks ${range.from} to ${range.to} than another`,
    );
  }
}
