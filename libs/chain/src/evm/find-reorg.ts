import type { Anchor, ChainCursor } from '@touchstone/x402';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { readHeader } from './blocks.ts';

/**
 * Number of newest anchors that are always kept. Anchors are blocks whose hashes are kept to detect reorgs. Most reorgs
 * are short.
 */
const MIN_RECENT_ANCHORS = 4;

/**
 * Adds the last block that was read to the anchors: blocks whose hashes are kept to detect reorgs. Drops older anchors
 * so that the distances between anchors grow exponentially; one month of blocks needs about twenty anchors.
 *
 * After a reorg, reading restarts at the newest unchanged anchor. An anchor is dropped only when the next older anchor
 * is at most twice as far from `latest` as the next newer anchor. So a reorg of n blocks makes the reader read at most
 * 2n blocks again; a short reorg costs at most a few reading steps.
 *
 * @param anchors blocks that were read, with their hashes, in ascending order; all anchors are before `latest`
 */
export function addAnchor(anchors: readonly Anchor[], latest: Anchor): Anchor[] {
  const toDistance = ({ number }: Anchor): bigint => latest.number - number;
  const newestFirst = [latest, ...anchors.toReversed()];
  const kept: Anchor[] = [];
  for (const [index, anchor] of newestFirst.entries()) {
    const newer = kept.at(-1);
    const older = newestFirst[index + 1];
    const isNeeded =
      !newer || !older || index < MIN_RECENT_ANCHORS || toDistance(older) > 2n * toDistance(newer);
    if (isNeeded) kept.push(anchor);
  }
  return kept.reverse();
}

interface ChainView {
  readonly provider: Provider;
  /** All other RPC providers that are configured for the same network. */
  readonly others: readonly Provider[];
  /** Number of the provider's last block. */
  readonly head: bigint;
}

/** A reorg according to one provider: the hash of at least one anchor (a block that was read before) has changed. */
interface Reorg {
  readonly replaced: Anchor;
  readonly newHash: string;
  /** The newest anchor that is unchanged; null when all anchors were replaced. */
  readonly unchanged: Anchor | null;
}

/**
 * Reads the current hash of the block with an anchor's number. A missing block is an error and not a reorg, because a
 * node that lags or prunes old blocks also lacks the block.
 */
async function readHash(provider: Provider, { number }: Anchor): Promise<string> {
  return (await readHeader(provider, number)).hash;
}

/**
 * Compares the anchors (blocks that were read before) with the provider's blocks. Returns null when the newest anchor
 * is unchanged.
 */
async function compareAnchors(provider: Provider, newestFirst: readonly Anchor[]): Promise<Reorg | null> {
  let reorg: Reorg | null = null;
  for (const anchor of newestFirst) {
    const hash = await readHash(provider, anchor);
    if (hash === anchor.hash) return reorg && { ...reorg, unchanged: anchor };
    reorg = { replaced: anchor, newHash: hash, unchanged: null };
  }
  return reorg;
}

/**
 * Reads the changed blocks from the same provider again, because one URL may stand for several nodes. One of these
 * nodes may follow another branch of the chain.
 */
async function confirmBySameProvider(
  provider: Provider,
  { replaced, newHash, unchanged }: Reorg,
): Promise<void> {
  const isUnchanged = unchanged === null || (await readHash(provider, unchanged)) === unchanged.hash;
  if (!isUnchanged || (await readHash(provider, replaced)) !== newHash) {
    throw new RpcFailure('unusable', `sent different hashes of block ${replaced.number}`);
  }
}

/** Checks that at least one other provider has the new block, and that no other provider has the replaced anchor. */
async function confirmByOthers(others: readonly Provider[], { replaced, newHash }: Reorg): Promise<void> {
  // Providers that do not respond are ignored.
  const hashes = await Promise.all(others.map((other) => readHash(other, replaced).catch(() => null)));
  if (hashes.includes(replaced.hash)) {
    throw new RpcFailure('unusable', `has another block ${replaced.number} than other providers`);
  }
  if (!hashes.includes(newHash)) {
    throw new RpcFailure('unusable', `replaced block ${replaced.number}, which no other provider confirms`);
  }
}

/**
 * Checks if a reorg has replaced blocks that were read before, and returns the first block to read again; null without
 * a reorg. The first block to read again is the block after the newest unchanged anchor, or `fromBlock` of the cursor
 * when all anchors changed.
 *
 * Only a changed hash counts as a reorg. Stored settlements are discarded after a reorg, so the reorg must be
 * confirmed: another provider must have the new block. When no other provider is configured, the same provider must
 * return the same hashes again.
 *
 * @throws RpcFailure when the provider is behind the blocks that were read before or lacks one of these blocks, or when
 * the reorg is not confirmed
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
