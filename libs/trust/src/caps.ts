import {
  changesWithin,
  isDownForADay,
  isFree,
  RECENT_PAYTO_DAYS,
  wasUnpayableForADay,
} from './endpoint-state.ts';
import type { Cap, ScoreInputs } from './types.ts';

interface CapRule extends Cap {
  readonly applies: (inputs: ScoreInputs) => boolean;
}

/**
 * Without a payable envelope in the day before the last probe nobody could buy. It says something only of an endpoint that is
 * meant to charge (it did once, or advertises it) and was looked at; one that gives its data away and never
 * asked for money is not capped, whatever a directory says it costs.
 */
function lacksPayableEnvelope(inputs: ScoreInputs): boolean {
  const meansToCharge = inputs.everChallenged || inputs.advertised !== null;
  return meansToCharge && inputs.probes.scored > 0 && !isFree(inputs) && wasUnpayableForADay(inputs);
}

/** Rules that limit a score whatever its components say, hardest last. */
const CAPS: readonly CapRule[] = [
  {
    rule: 'payto-changed-recently',
    limit: 64,
    explanation: `The payTo address changed in the last ${String(RECENT_PAYTO_DAYS)} days.`,
    applies: (inputs) => changesWithin(inputs, 'payto_change', RECENT_PAYTO_DAYS).length > 0,
  },
  {
    rule: 'not-payable',
    limit: 49,
    explanation: 'No payable envelope was seen in the 24 hours before the last probe.',
    applies: lacksPayableEnvelope,
  },
  {
    rule: 'down-now',
    limit: 34,
    explanation: 'The endpoint had been down for 24 hours or more at the last probe.',
    applies: isDownForADay,
  },
  {
    rule: 'asset-not-usdc',
    limit: 20,
    explanation: "The asset calls itself USDC and is not the network's canonical USDC.",
    applies: ({ advertised }) => advertised?.falseUsdc === true,
  },
];

/** Every cap as it is published: the very rows that lower a score. */
export const CAP_LIMITS: readonly Cap[] = CAPS;

/** The caps whose condition holds, also those above the score; the smallest decides. */
export function capsOf(inputs: ScoreInputs): Cap[] {
  return CAPS.filter(({ applies }) => applies(inputs)).map(withoutCondition);
}

/** A score under caps. */
export function lower(score: number, caps: readonly Cap[]): number {
  return caps.reduce((lowest, { limit }) => Math.min(lowest, limit), score);
}

function withoutCondition({ rule, limit, explanation }: CapRule): Cap {
  return { rule, limit, explanation };
}
