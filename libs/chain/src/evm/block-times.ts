import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { readHeaders } from './blocks.ts';
import type { Header, Log } from './schemas.ts';

/**
 * Returns the hash and the time of each block that contains at least one of the logs. The time is undefined when the
 * provider's logs have no block time.
 * @throws RpcFailure when two logs of one block have different hashes or times
 */
export function groupByBlock(
  logs: readonly Log[],
): Map<bigint, { readonly hash: string; readonly timestamp: number | undefined }> {
  const blocks = new Map<bigint, { readonly hash: string; readonly timestamp: number | undefined }>();
  for (const log of logs) {
    const block = blocks.get(log.blockNumber);
    if (block !== undefined && (block.hash !== log.blockHash || block.timestamp !== log.blockTimestamp)) {
      throw new RpcFailure('unusable', `sent different hashes or times of block ${log.blockNumber}`);
    }
    if (block === undefined) {
      blocks.set(log.blockNumber, { hash: log.blockHash, timestamp: log.blockTimestamp });
    }
  }
  return blocks;
}

/**
 * Returns the time of each block that contains at least one of the logs, in seconds since the epoch. The block time in
 * a log is used when it is between the times of the first and the last header. Otherwise the header of the block is
 * read.
 *
 * @param logs logs between the blocks of the two headers
 * @param ends headers of the first and the last requested block
 * @throws RpcFailure when a header and a log have different hashes of the same block
 */
export async function readBlockTimes(
  provider: Provider,
  logs: readonly Log[],
  ends: readonly [first: Header, last: Header],
): Promise<Map<bigint, number>> {
  const [first, last] = ends;
  const headers = new Map(ends.map((header) => [header.number, header]));
  const blocks = groupByBlock(logs);
  const isPlausible = (time: number | undefined): time is number =>
    time !== undefined && time >= first.timestamp && time <= last.timestamp;
  const missing = [...blocks]
    .filter(([number, { timestamp }]) => !headers.has(number) && !isPlausible(timestamp))
    .map(([number]) => number);
  for (const [number, header] of await readHeaders(provider, missing)) headers.set(number, header);

  const times = new Map<bigint, number>();
  for (const [number, { hash, timestamp }] of blocks) {
    const header = headers.get(number);
    if (header !== undefined && header.hash !== hash) {
      throw new RpcFailure('unusable', `has logs and a header with different hashes of block ${number}`);
    }
    const time = header?.timestamp ?? timestamp;
    if (time === undefined) throw new RpcFailure('unusable', `does not have the time of block ${number}`);
    times.set(number, time);
  }
  return times;
}
