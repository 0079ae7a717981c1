import { numberToHex } from 'viem';
import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { headerSchema, type Header, type Log, quantitySchema } from './logs.ts';

function checkNumber(header: Header | null, number: bigint): Header | null {
  if (header !== null && header.number !== number) {
    throw new RpcFailure('unusable', 'sent a block that was not requested');
  }
  return header;
}

/** Reads the header of a block. Returns null when the provider does not have the block. */
async function findHeader(provider: Provider, number: bigint): Promise<Header | null> {
  const params = [numberToHex(number), false];
  return checkNumber(await provider.call('eth_getBlockByNumber', params, headerSchema), number);
}

/** @throws RpcFailure when the provider does not have the block */
export async function readHeader(provider: Provider, number: bigint): Promise<Header> {
  const header = await findHeader(provider, number);
  if (header === null) throw new RpcFailure('unusable', `does not have block ${number}`);
  return header;
}

/** Reads headers in batches. @throws RpcFailure when the provider does not have one of the blocks */
async function readHeaders(provider: Provider, numbers: readonly bigint[]): Promise<Map<bigint, Header>> {
  const params = numbers.map((number) => [numberToHex(number), false]);
  const headers = await provider.callMany('eth_getBlockByNumber', params, headerSchema);
  const byNumber = new Map<bigint, Header>();
  for (const [index, number] of numbers.entries()) {
    const header = checkNumber(headers[index] ?? null, number);
    if (header === null) throw new RpcFailure('unusable', `does not have block ${number}`);
    byNumber.set(number, header);
  }
  return byNumber;
}

/**
 * Finds the first block whose time is `since` or later, by bisection. Returns `head + 1` when no block is late enough.
 *
 * Nodes delete only their oldest blocks, so the bisection continues behind a missing block.
 *
 * @throws RpcFailure when the provider does not have the block before the result, so earlier blocks may be late enough
 * @param since milliseconds since the epoch
 * @param head number of the last block
 */
export async function findFirstBlockSince(provider: Provider, since: number, head: bigint): Promise<bigint> {
  let low = 0n;
  let high = head + 1n;
  let isPreviousMissing = false;
  while (low < high) {
    const middle = (low + high) / 2n;
    const header = await findHeader(provider, middle).catch((error: unknown) => {
      if (error instanceof RpcFailure && error.kind === 'unusable') return null;
      throw error;
    });
    if (header !== null && header.timestamp * 1_000 >= since) {
      high = middle;
    } else {
      low = middle + 1n;
      isPreviousMissing = header === null;
    }
  }
  if (isPreviousMissing) throw new RpcFailure('unusable', `has no blocks before ${low}`);
  return low;
}

/**
 * Returns the hash and the time of each block that contains at least one of the logs. The time is undefined when the
 * provider's logs have no block time or different times, because the servers of a provider differ: some omit the time
 * or send 0.
 * @throws RpcFailure when two logs of one block have different hashes
 */
export function groupByBlock(logs: readonly Log[]) {
  const blocks = new Map<bigint, { readonly hash: string; readonly timestamp: number | undefined }>();
  for (const log of logs) {
    const block = blocks.get(log.blockNumber);
    if (block !== undefined && block.hash !== log.blockHash) {
      throw new RpcFailure('unusable', `sent different hashes of block ${log.blockNumber}`);
    }
    const isSame = block === undefined || block.timestamp === log.blockTimestamp;
    blocks.set(log.blockNumber, { hash: log.blockHash, timestamp: isSame ? log.blockTimestamp : undefined });
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

const blockSchema = z.object({ number: quantitySchema, timestamp: quantitySchema });

export interface NewestBlock {
  readonly number: number;
  /** Time of the block, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Reads the newest block of an EVM network, to find out if the network can be read and still makes blocks.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readNewestBlock(providers: Providers): Promise<NewestBlock> {
  const { number, timestamp } = await providers.use((provider) =>
    provider.call('eth_getBlockByNumber', ['latest', false], blockSchema),
  );
  return { number: Number(number), at: Number(timestamp) * 1_000 };
}

/**
 * Reads the time of a block of an EVM network, in milliseconds since the epoch.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readBlockTime(providers: Providers, block: number): Promise<number> {
  const { timestamp } = await providers.use((provider) => readHeader(provider, BigInt(block)));
  return timestamp * 1_000;
}
