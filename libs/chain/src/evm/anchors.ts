import type { Anchor } from '@touchstone/x402';

/** Re-orgs are short as a rule, so the last few blocks that were read are all kept. */
const KEPT_CLOSE = 4;

/**
 * Adds the last block that was read, and forgets some of those long before it: one goes when the next older one is at
 * most twice as far back as the next newer one. A month takes some twenty of them, and a re-org takes back at most twice
 * what it replaced, or three steps, or one step where steps are long.
 *
 * @param anchors ascending, all before `latest`
 */
export function addAnchor(anchors: readonly Anchor[], latest: Anchor): Anchor[] {
  const back = ({ number }: Anchor): bigint => latest.number - number;
  const newestFirst = [latest, ...anchors.toReversed()];
  const kept: Anchor[] = [];
  for (const [index, anchor] of newestFirst.entries()) {
    const newer = kept.at(-1);
    const older = newestFirst[index + 1];
    const needed = !newer || !older || index < KEPT_CLOSE || back(older) > 2n * back(newer);
    if (needed) kept.push(anchor);
  }
  return kept.reverse();
}
