import { clampShare, roundHalfUp } from './rounding.ts';
import type { ScoreInputs, Verdict } from './types.ts';

/** The least confidence at which a recommendation may be `proceed`. */
export const LOW_CONFIDENCE = 0.3;
/** Probes after which observation is certain by two thirds: five days at 48 a day. */
const PROBES_SCALE = 240;
/** The part of confidence that needs no chain to be read. */
const WITHOUT_CHAIN = 0.8;

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
