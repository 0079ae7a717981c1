import { numberToHex } from 'viem';
import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { TRANSFER_TOPIC, type LogFilter } from './events.ts';
import { logSchema, type Log } from './schemas.ts';
import { readLogs, type BlockRange } from './read-logs.ts';

/** Any transfer of the token in a block, whoever made it; null where the block has none, or too many to tell. */
async function anyTransfer(
  provider: Provider,
  token: LogFilter['address'],
  block: bigint,
): Promise<Log | null> {
  const number = numberToHex(block);
  const query = { address: token, topics: [TRANSFER_TOPIC], fromBlock: number, toBlock: number };
  try {
    const answer = await provider.call('eth_getLogs', [query], z.array(z.unknown()));
    for (const given of answer) {
      const { data: log } = logSchema.safeParse(given);
      if (log?.topics.length === 3 && log.blockNumber === block) return log;
    }
    return null;
  } catch (error) {
    if (error instanceof RpcFailure && error.trouble === 'too-much') return null;
    throw error;
  }
}

function sameLog(a: Log, b: Log): boolean {
  return a.blockNumber === b.blockNumber && a.logIndex === b.logIndex;
}

/**
 * Has a provider prove that it answers for a whole range. Some clamp a range silently, or have forgotten its beginning,
 * and an answer without logs looks as if nobody had paid. So a transfer of anybody in the first and in the last block
 * is looked up by itself, and asked for again over the whole range by its payer and payee.
 *
 * A range whose ends hold no transfer of the token at all proves nothing, and passes.
 *
 * @throws RpcFailure for a provider that left one of them out
 */
export async function proveRange(
  provider: Provider,
  token: LogFilter['address'],
  { from, to }: BlockRange,
): Promise<void> {
  for (const block of [from, to]) {
    const witness = await anyTransfer(provider, token, block);
    const [, payer, payee] = witness?.topics ?? [];
    if (witness === null || payer === undefined || payee === undefined) continue;
    const filter: LogFilter = { address: token, topics: [TRANSFER_TOPIC, [payer], [payee]] };
    const { logs } = await readLogs(provider, filter, { from, to });
    if (!logs.some((log) => sameLog(log, witness))) {
      throw new RpcFailure('unusable', `left out block ${block} of the blocks ${from} to ${to}`);
    }
  }
}
