import { clampShare, roundHalfUp } from './numbers.ts';
import type { ScoreInputs, Verdict } from './types.ts';

/**
 * Number of scored probes at which the observation part of the confidence reaches 1 − 1/e, about 0.63. At 48 probes a
 * day, this takes five days.
 */
const PROBES_SCALE = 240;
/** Share of the confidence that does not depend on chain data. */
const WITHOUT_CHAIN = 0.8;
const CHAIN = roundHalfUp(1 - WITHOUT_CHAIN, 2);

/** Constants and published formulas of the confidence. */
export const CONFIDENCE = {
  probesScale: PROBES_SCALE,
  withoutChain: WITHOUT_CHAIN,
  /** Confidence below which the warning `low-confidence` is raised and the recommendation is never `proceed`. */
  low: 0.3,
  observation: `1 − e^(−scored probes in the last 30 days / ${String(PROBES_SCALE)})`,
  economic:
    'the share of the advertised networks whose chain was read in the last day; null if none is advertised, which counts as 0',
  overall: `observation × (${String(WITHOUT_CHAIN)} + ${String(CHAIN)} × economic), two decimals`,
} as const;

/**
 * Computes the confidence in a trust verdict, 0 to 1. The observation part is `1 − e^(−probes/240)`. The economic part
 * is the share of networks whose chain was read. The economic part is null if no network is advertised; null counts as
 * 0. The overall confidence is `observation × (0.8 + 0.2·economic)`. The overall confidence and both parts have two
 * decimals. Only scored probes count, because blocked probes and self-inflicted failures measure nothing.
 */
export function computeConfidence({ probes, networksRead }: ScoreInputs): Verdict['confidenceDetail'] {
  const observation = 1 - Math.exp(-Math.max(0, probes.scored) / PROBES_SCALE);
  const economic = networksRead === null ? null : clampShare(networksRead);
  return {
    overall: roundHalfUp(observation * (WITHOUT_CHAIN + (1 - WITHOUT_CHAIN) * (economic ?? 0)), 2),
    observation: roundHalfUp(observation, 2),
    economic: economic === null ? null : roundHalfUp(economic, 2),
  };
}
