import { clampShare, roundHalfUp } from './numbers/rounding.ts';
import type { ScoreInputs, Verdict } from './types.ts';

/** Probes after which observation is certain by two thirds: five days at 48 a day. */
const PROBES_SCALE = 240;
/** The part of confidence that needs no chain to be read. */
const WITHOUT_CHAIN = 0.8;
const CHAIN = roundHalfUp(1 - WITHOUT_CHAIN, 2);

/** The constants of confidence, and its formulas in words. */
export const CONFIDENCE = {
  probesScale: PROBES_SCALE,
  withoutChain: WITHOUT_CHAIN,
  /** Below it there is a warning, and no recommendation to proceed. */
  low: 0.3,
  observation: `1 − e^(−scored probes of 30 days / ${String(PROBES_SCALE)})`,
  economic: 'the share of the advertised networks whose chain was read in the last day',
  overall: `observation × (${String(WITHOUT_CHAIN)} + ${String(CHAIN)} × economic), two decimals`,
} as const;

/**
 * How much the verdict can be relied on: `observation = 1 − e^(−probes/240)`, `overall = observation × (0.8 +
 * 0.2·economic)`, two decimals each. The probes are those that count in uptime: one we failed ourselves, or
 * that was turned away, observed nothing.
 */
export function confidenceOf({ probes, networksRead }: ScoreInputs): Verdict['confidenceDetail'] {
  const observation = 1 - Math.exp(-Math.max(0, probes.scored) / PROBES_SCALE);
  const economic = clampShare(networksRead);
  return {
    overall: roundHalfUp(observation * (WITHOUT_CHAIN + (1 - WITHOUT_CHAIN) * economic), 2),
    observation: roundHalfUp(observation, 2),
    economic: roundHalfUp(economic, 2),
  };
}
