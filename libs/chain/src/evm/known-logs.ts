import { numberToHex, type Hex } from 'viem';
import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { AUTHORIZATION_TOPIC, TRANSFER_TOPIC } from './events.ts';
import type { BlockRange } from './read-logs.ts';
import { logSchema, type Log } from './schemas.ts';

/** Logs of anybody that are known to be in a range, each with the address by which a filter would find it. */
export interface KnownLog {
  readonly log: Log;
  /** Payee of a transfer, authorizer of an authorization; a topic. */
  readonly topic: Hex;
}

export interface KnownLogs {
  readonly transfers: readonly KnownLog[];
  readonly authorizations: readonly KnownLog[];
}

/** The ends and the middle: where answers are cut short, forgotten or thinned out. */
function placesIn({ from, to }: BlockRange): bigint[] {
  return [...new Set([from, to, (from + to) / 2n])];
}

/** Everybody's transfers and authorizations in a block; none where the provider says that they are too many. */
async function logsIn(provider: Provider, token: Hex, block: bigint): Promise<Log[]> {
  const number = numberToHex(block);
  const topics = [[TRANSFER_TOPIC, AUTHORIZATION_TOPIC]];
  const query = { address: token, topics, fromBlock: number, toBlock: number };
  try {
    const answer = await provider.call('eth_getLogs', [query], z.array(z.unknown()));
    return answer
      .map((given) => logSchema.safeParse(given).data)
      .filter((log) => log?.topics.length === 3 && log.blockNumber === block)
      .filter((log) => log !== undefined);
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'too-much') return [];
    throw error;
  }
}

/**
 * The one whose address comes up least: what is paid to an exchange or a pool would fill the answers that it is to prove.
 */
function rarest(logs: readonly Log[], place: 1 | 2, uses: ReadonlyMap<Hex, number>): KnownLog[] {
  let found: KnownLog | undefined;
  const usesOf = ({ topic }: KnownLog): number => uses.get(topic) ?? 0;
  for (const log of logs) {
    const topic = log.topics[place];
    if (topic === undefined) continue;
    if (found === undefined || usesOf({ log, topic }) < usesOf(found)) found = { log, topic };
  }
  return found === undefined ? [] : [found];
}

/** Finds a transfer and an authorization in each of a few blocks of a range, where there are any. */
export async function findKnownLogs(provider: Provider, token: Hex, range: BlockRange): Promise<KnownLogs> {
  const blocks: Log[][] = [];
  for (const block of placesIn(range)) blocks.push(await logsIn(provider, token, block));
  const uses = new Map<Hex, number>();
  for (const topic of blocks.flat().flatMap(({ topics }) => topics.slice(1))) {
    uses.set(topic, (uses.get(topic) ?? 0) + 1);
  }
  const of = (event: Hex, place: 1 | 2) => (logs: readonly Log[]) =>
    rarest(
      logs.filter(({ topics }) => topics[0] === event),
      place,
      uses,
    );
  return {
    transfers: blocks.flatMap(of(TRANSFER_TOPIC, 2)),
    authorizations: blocks.flatMap(of(AUTHORIZATION_TOPIC, 1)),
  };
}
