import type { Anchor } from '@touchstone/x402';

/** Number of the latest anchors that are always kept, because most reorgs are short. */
const MIN_RECENT_ANCHORS = 4;

/**
 * Adds the last block that was read to the anchors, and drops older ones so that their distances grow exponentially. An
 * anchor is dropped when the next older one is at most twice as far back as the next newer one. One month needs about
 * twenty anchors. A reorg then discards at most twice the blocks it replaced, or three steps, or one step where steps are
 * long.
 *
 * @param anchors blocks that were read, with their hashes, ascending, all before `latest`
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
