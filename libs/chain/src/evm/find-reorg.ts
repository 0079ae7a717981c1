import type { Anchor, ChainCursor } from '@touchstone/x402';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { readHeader } from './blocks.ts';

interface ChainView {
  readonly provider: Provider;
  /** The other configured providers of the network. */
  readonly others: readonly Provider[];
  /** Number of the provider's last block. */
  readonly head: bigint;
}

/** A reorg as one provider reports it. */
interface Reorg {
  /** The oldest replaced anchor. */
  readonly replaced: Anchor;
  /** Hash of the block that replaced it. */
  readonly newHash: string;
  /** The newest anchor that is unchanged; null when all were replaced. */
  readonly unchanged: Anchor | null;
}

/** Reads the hash of an anchor's block. A missing block is no reorg: nodes that lag or prune do not have it either. */
async function readHash(provider: Provider, { number }: Anchor): Promise<string> {
  return (await readHeader(provider, number)).hash;
}

/** Compares the anchors with the provider's blocks. Returns null when the newest anchor is unchanged. */
async function compareAnchors(provider: Provider, newestFirst: readonly Anchor[]): Promise<Reorg | null> {
  let reorg: Reorg | null = null;
  for (const anchor of newestFirst) {
    const hash = await readHash(provider, anchor);
    if (hash === anchor.hash) return reorg && { ...reorg, unchanged: anchor };
    reorg = { replaced: anchor, newHash: hash, unchanged: null };
  }
  return reorg;
}

/** Checks the reorg with the same provider again: one of the nodes behind its URL may follow another branch. */
async function confirmBySameProvider(
  provider: Provider,
  { replaced, newHash, unchanged }: Reorg,
): Promise<void> {
  const isUnchanged = unchanged === null || (await readHash(provider, unchanged)) === unchanged.hash;
  if (!isUnchanged || (await readHash(provider, replaced)) !== newHash) {
    throw new RpcFailure('unusable', `contradicts itself about block ${replaced.number}`);
  }
}

/** Checks that another provider has the block that replaced the anchor, and that no provider still has the anchor. */
async function confirmByOthers(others: readonly Provider[], { replaced, newHash }: Reorg): Promise<void> {
  // A provider that does not respond is ignored.
  const hashes = await Promise.all(others.map((other) => readHash(other, replaced).catch(() => null)));
  if (hashes.includes(replaced.hash)) {
    throw new RpcFailure('unusable', `has another block ${replaced.number} than the others`);
  }
  if (!hashes.includes(newHash)) {
    throw new RpcFailure('unusable', `replaced block ${replaced.number}, which no other provider confirms`);
  }
}

/**
 * Finds the first block that a reorg may have replaced among the blocks that were read: the block after the newest
 * unchanged anchor, or the first block that was read when no anchor is unchanged. Returns null without a reorg.
 *
 * Only a different hash is a reorg. Reorgs of confirmed blocks are rare, and stored rows are discarded because of them.
 * So another provider must have the same new block. When no other provider is configured, the same provider must return
 * the same hashes again.
 *
 * @throws RpcFailure when the provider is behind the blocks that were read or lacks one of them, or when the reorg is not
 * confirmed
 */
export async function findReorg(
  { provider, others, head }: ChainView,
  { anchors, fromBlock }: ChainCursor,
): Promise<bigint | null> {
  const reachable = anchors.filter(({ number }) => number <= head);
  const reorg = await compareAnchors(provider, reachable.toReversed());
  if (reorg === null) {
    if (reachable.length < anchors.length)
      throw new RpcFailure('unusable', 'is behind the blocks that were read before');
    return null;
  }
  await confirmBySameProvider(provider, reorg);
  if (others.length > 0) await confirmByOthers(others, reorg);
  return reorg.unchanged === null ? fromBlock : reorg.unchanged.number + 1n;
}
