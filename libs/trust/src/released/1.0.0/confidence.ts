import { clampShare, roundHalfUp } from '../../numbers/rounding.ts';
import type { ScoreInputs, Verdict } from './types.ts';

/** Confidence below which the warning `low-confidence` is raised and the recommendation is never `proceed`. */
export const LOW_CONFIDENCE = 0.3;

/**
 * Number of scored probes at which the observation part of the confidence reaches 1 − 1/e, about 0.63. At 48 probes a
 * day, this takes five days.
 */
const PROBES_SCALE = 240;
/** Share of the confidence that does not depend on chain data. */
const WITHOUT_CHAIN = 0.8;

/**
 * Computes the confidence in a trust verdict, 0 to 1. The observation part is `1 − e^(−probes/240)`, and the economic
 * part is the share of networks whose chain was read. The overall confidence is `observation × (0.8 + 0.2·economic)`.
 * All three have two decimals. Only scored probes count, because blocked probes and self-inflicted failures measure
 * nothing.
 */
export function computeConfidence({ probes, networksRead }: ScoreInputs): Verdict['confidenceDetail'] {
  const observation = 1 - Math.exp(-Math.max(0, probes.scored) / PROBES_SCALE);
  const economic = clampShare(networksRead);
  return {
    overall: roundHalfUp(observation * (WITHOUT_CHAIN + (1 - WITHOUT_CHAIN) * economic), 2),
    observation: roundHalfUp(observation, 2),
    economic: roundHalfUp(economic, 2),
  };
}
