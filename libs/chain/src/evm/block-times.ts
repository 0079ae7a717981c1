import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { readHeaders } from './blocks.ts';
import type { Header, Log } from './schemas.ts';

/**
 * The blocks of some logs: logs of one block name one block hash, and one time where they name any.
 * @throws RpcFailure where they do not
 */
export function groupByBlock(
  logs: readonly Log[],
): Map<bigint, { readonly hash: string; readonly timestamp: number | undefined }> {
  const blocks = new Map<bigint, { readonly hash: string; readonly timestamp: number | undefined }>();
  for (const log of logs) {
    const block = blocks.get(log.blockNumber);
    if (block !== undefined && (block.hash !== log.blockHash || block.timestamp !== log.blockTimestamp)) {
      throw new RpcFailure('unusable', `contradicts itself on block ${log.blockNumber}`);
    }
    if (block === undefined) {
      blocks.set(log.blockNumber, { hash: log.blockHash, timestamp: log.blockTimestamp });
    }
  }
  return blocks;
}

/**
 * The times of the blocks of some logs, in seconds: what a log says where that is possible, else the header's, which must
 * then be of the block that the log names.
 *
 * @param logs all within the range of the two headers
 * @param ends headers of the first and the last block that was asked for
 */
export async function readBlockTimes(
  provider: Provider,
  logs: readonly Log[],
  ends: readonly [first: Header, last: Header],
): Promise<Map<bigint, number>> {
  const [first, last] = ends;
  const known = new Map(ends.map((header) => [header.number, header]));
  const blocks = groupByBlock(logs);
  const plausible = (time: number | undefined): time is number =>
    time !== undefined && time >= first.timestamp && time <= last.timestamp;
  const asked = [...blocks]
    .filter(([number, { timestamp }]) => !known.has(number) && !plausible(timestamp))
    .map(([number]) => number);
  for (const [number, header] of await readHeaders(provider, asked)) known.set(number, header);

  const times = new Map<bigint, number>();
  for (const [number, { hash, timestamp }] of blocks) {
    const header = known.get(number);
    if (header !== undefined && header.hash !== hash) {
      throw new RpcFailure('unusable', `has logs of another block ${number} than its header`);
    }
    const time = header?.timestamp ?? timestamp;
    if (time === undefined) throw new RpcFailure('unusable', `says no time of block ${number}`);
    times.set(number, time);
  }
  return times;
}
