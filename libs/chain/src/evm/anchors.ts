import type { Anchor } from '@touchstone/x402';

/**
 * How many of the newest anchors are never dropped. Anchors are blocks kept to detect reorgs, and most reorgs are
 * short.
 */
const MIN_RECENT_ANCHORS = 4;

/**
 * Adds the last block that was read to the anchors: blocks whose hashes are kept to detect reorgs. Drops older anchors
 * so that the distances between anchors grow exponentially; one month of blocks needs about twenty anchors.
 *
 * After a reorg, reading restarts at the newest unchanged anchor. An anchor is dropped only when the next older anchor
 * is at most twice as far from `latest` as the next newer one. So at most twice as many blocks are read again as the
 * reorg replaced; after a short reorg, at most a few reading steps.
 *
 * @param anchors blocks that were read, with their hashes, in ascending order; all of them before `latest`
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
