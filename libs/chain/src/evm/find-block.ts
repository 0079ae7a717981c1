import type { Provider } from '../rpc/provider.ts';
import { findHeader } from './blocks.ts';

/**
 * The first block whose time is at or after a time, by bisection; the block after the head where there is none yet.
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
    // What a pruning node has forgotten is long ago.
    if (header === null || header.timestamp * 1_000 < since) low = middle + 1n;
    else high = middle;
  }
  return low;
}
