import { numberToHex } from 'viem';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { headerSchema, type Header } from './schemas.ts';

function checkNumber(header: Header | null, number: bigint): Header | null {
  if (header !== null && header.number !== number) {
    throw new RpcFailure('unusable', 'sent a block that was not requested');
  }
  return header;
}

/** Reads the header of a block. Returns null when the provider does not have the block. */
async function findHeader(provider: Provider, number: bigint): Promise<Header | null> {
  return checkNumber(
    await provider.call('eth_getBlockByNumber', [numberToHex(number), false], headerSchema),
    number,
  );
}

/**
 * Reads the header of a block.
 * @throws RpcFailure when the provider does not have the block
 */
export async function readHeader(provider: Provider, number: bigint): Promise<Header> {
  const header = await findHeader(provider, number);
  if (header === null) throw new RpcFailure('unusable', `does not have block ${number}`);
  return header;
}

/**
 * Reads the headers of several blocks in batches.
 * @throws RpcFailure when the provider does not have one of the blocks
 */
export async function readHeaders(
  provider: Provider,
  numbers: readonly bigint[],
): Promise<Map<bigint, Header>> {
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
 * @param since milliseconds since the epoch
 * @param head number of the last block
 */
export async function findFirstBlockSince(provider: Provider, since: number, head: bigint): Promise<bigint> {
  let low = 0n;
  let high = head + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const header = await findHeader(provider, middle);
    // Nodes delete only their oldest blocks, so a missing block counts as earlier than `since`.
    if (header === null || header.timestamp * 1_000 < since) low = middle + 1n;
    else high = middle;
  }
  return low;
}
