import {
  findRecentChanges,
  isDownForOneDay,
  isFree,
  RECENT_PAYTO_DAYS,
  wasUnpayableForOneDay,
} from './endpoint-state.ts';
import type { Cap, ScoreInputs } from './types.ts';

interface CapRule extends Cap {
  readonly applies: (inputs: ScoreInputs) => boolean;
}

/**
 * Returns true if no challenge of the day before the last probe could be paid. The rule applies only to endpoints that
 * charge (they sent a challenge once, or advertise terms) and have a scored probe. Free endpoints are not capped, even
 * if a directory lists a price for them.
 */
function lacksPayableChallenge(inputs: ScoreInputs): boolean {
  const isPaidEndpoint = inputs.everChallenged || inputs.advertised !== null;
  return isPaidEndpoint && inputs.probes.scored > 0 && !isFree(inputs) && wasUnpayableForOneDay(inputs);
}

/** Rules that limit the score independently of its components, strictest last. */
const CAPS: readonly CapRule[] = [
  {
    rule: 'payto-changed-recently',
    limit: 64,
    explanation: `The payTo address changed in the last ${String(RECENT_PAYTO_DAYS)} days.`,
    applies: (inputs) => findRecentChanges(inputs, 'payto_change', RECENT_PAYTO_DAYS).length > 0,
  },
  {
    rule: 'not-payable',
    limit: 49,
    explanation: 'No payable challenge was received in the 24 hours before the last probe.',
    applies: lacksPayableChallenge,
  },
  {
    rule: 'down-now',
    limit: 34,
    explanation: 'The endpoint had been down for 24 hours or more at the last probe.',
    applies: isDownForOneDay,
  },
  {
    rule: 'asset-not-usdc',
    limit: 20,
    explanation: "The advertised token is named USDC but is not the network's canonical USDC.",
    applies: ({ advertised }) => advertised?.falseUsdc === true,
  },
];

/** All caps, as published. The score is computed with the same objects. */
export const CAP_LIMITS: readonly Cap[] = CAPS;

/** Returns the caps whose condition holds, including those above the score. The smallest limit decides. */
export function findCaps(inputs: ScoreInputs): Cap[] {
  return CAPS.filter(({ applies }) => applies(inputs)).map(toCap);
}

/** Returns the score, lowered to the smallest limit. */
export function applyCaps(score: number, caps: readonly Cap[]): number {
  return caps.reduce((lowest, { limit }) => Math.min(lowest, limit), score);
}

function toCap({ rule, limit, explanation }: CapRule): Cap {
  return { rule, limit, explanation };
}
