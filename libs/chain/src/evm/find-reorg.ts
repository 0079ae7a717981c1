import type { Anchor, ChainCursor } from '@touchstone/x402';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { readHeader } from './blocks.ts';

interface Views {
  readonly provider: Provider;
  /** The other providers of the network that are configured. */
  readonly others: readonly Provider[];
  /** Number of the provider's last block. */
  readonly head: bigint;
}

/** What a provider says of the anchors: the oldest that was replaced, by which block, and the newest that stands. */
interface Fork {
  readonly fallen: Anchor;
  readonly hash: string;
  readonly standing: Anchor | null;
}

/** A block that is not answered was not replaced: nodes that lag or have pruned it do not have it either. */
async function hashOf(provider: Provider, { number }: Anchor): Promise<string> {
  return (await readHeader(provider, number)).hash;
}

/** Null where the newest of the anchors stands. */
async function compare(provider: Provider, newestFirst: readonly Anchor[]): Promise<Fork | null> {
  let fork: Fork | null = null;
  for (const anchor of newestFirst) {
    const hash = await hashOf(provider, anchor);
    if (hash === anchor.hash) return fork && { ...fork, standing: anchor };
    fork = { fallen: anchor, hash, standing: null };
  }
  return fork;
}

/** The same provider once more: behind one URL there are many nodes, of which one may stand on a branch of its own. */
async function confirmAgain(provider: Provider, { fallen, hash, standing }: Fork): Promise<void> {
  const stands = standing === null || (await hashOf(provider, standing)) === standing.hash;
  if (!stands || (await hashOf(provider, fallen)) !== hash) {
    throw new RpcFailure('unusable', `contradicts itself on block ${fallen.number}`);
  }
}

/** Another provider names the very block that replaced the anchor, and none has the anchor still. */
async function confirmByOthers(others: readonly Provider[], { fallen, hash }: Fork): Promise<void> {
  // One that cannot be asked speaks for neither side.
  const heard = await Promise.all(others.map((other) => hashOf(other, fallen).catch(() => null)));
  if (heard.includes(fallen.hash)) {
    throw new RpcFailure('unusable', `has another block ${fallen.number} than the others`);
  }
  if (!heard.includes(hash)) {
    throw new RpcFailure('unusable', `replaced block ${fallen.number}, which no other provider confirms`);
  }
}

/**
 * Where a re-org replaced blocks that were read: the block after the last anchor that still stands, or the first that
 * was read where none does. Null where all is as it was.
 *
 * Only another hash is a re-org. What was read had its confirmations, so one that reaches it is rare, and rows are taken
 * back on its word: it is believed when another provider names the same block, or, where no other one is configured,
 * when the provider says the same again.
 *
 * @throws RpcFailure for a provider that is behind what was read, does not have a block of it, or is not confirmed
 */
export async function findReorg(
  { provider, others, head }: Views,
  { anchors, fromBlock }: ChainCursor,
): Promise<bigint | null> {
  const known = anchors.filter(({ number }) => number <= head);
  const fork = await compare(provider, known.toReversed());
  if (fork === null) {
    if (known.length < anchors.length) throw new RpcFailure('unusable', 'is behind what was read already');
    return null;
  }
  await confirmAgain(provider, fork);
  if (others.length > 0) await confirmByOthers(others, fork);
  return fork.standing === null ? fromBlock : fork.standing.number + 1n;
}
