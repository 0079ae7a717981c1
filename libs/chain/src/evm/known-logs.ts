import { numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { AUTHORIZATION_TOPIC, TRANSFER_TOPIC } from './events.ts';
import type { BlockRange } from './read-logs.ts';
import { logSchema, type Log } from './schemas.ts';

/**
 * A log of any account that certainly exists. When the topic of this log is added to a filter, a complete response must
 * contain the log.
 */
export interface KnownLog {
  readonly log: Log;
  /** Topic of an address that a filter can match: the payee of a transfer, or the authorizer of an authorization. */
  readonly topic: Hex;
}

export interface KnownLogs {
  readonly transfers: readonly KnownLog[];
  readonly authorizations: readonly KnownLog[];
}

/**
 * Selects the first, the middle and the last block of a range, because incomplete responses usually lack one of them.
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
 * transfer and one authorization per block.
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
    authorizations: blocks.flatMap(selectByEvent(AUTHORIZATION_TOPIC, 1)),
  };
}
