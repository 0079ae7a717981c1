import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import type { Anchor, ChainCursor } from '@touchstone/x402';
import { findHeader } from './read-header.ts';

async function holds(provider: Provider, anchor: Anchor): Promise<boolean> {
  return (await findHeader(provider, anchor.number))?.hash === anchor.hash;
}

async function anyOtherHolds(others: readonly Provider[], anchor: Anchor): Promise<boolean> {
  for (const other of others) {
    // A provider that cannot be asked speaks for neither side.
    if (await holds(other, anchor).catch(() => false)) return true;
  }
  return false;
}

/**
 * Where a re-org replaced blocks that were read: the block after the last anchor that still stands. Null where all is
 * as it was. A provider that stands alone against another one is not believed, since rows are taken back on its word.
 *
 * @param head number of the provider's last block
 * @throws RpcFailure for a provider that is behind what was read, or is contradicted
 */
export async function findFork(
  { provider, others, head }: { provider: Provider; others: readonly Provider[]; head: bigint },
  { anchors, fromBlock }: ChainCursor,
): Promise<bigint | null> {
  const known = anchors.filter(({ number }) => number <= head).reverse();
  const [newest] = known;
  const standing = newest !== undefined && (await holds(provider, newest));
  if (standing || newest === undefined) {
    if (known.length < anchors.length) throw new RpcFailure('unusable', 'is behind what was read already');
    return null;
  }
  if (await anyOtherHolds(others, newest)) {
    throw new RpcFailure('unusable', `has another block ${newest.number} than the others`);
  }
  for (const anchor of known.slice(1)) {
    if (await holds(provider, anchor)) return anchor.number + 1n;
  }
  return fromBlock;
}
