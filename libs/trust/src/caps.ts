import { formatCount, formatMinute } from '@touchstone/common';
import { formatCause } from './cause-texts.ts';
import {
  findRecentChanges,
  findUnscoredSince,
  isDownForOneDay,
  isFree,
  RECENT_PAYTO_DAYS,
  wasUnpayableForOneDay,
  wasUnscoredForOneDay,
  WINDOW_DAYS,
} from './endpoint-state.ts';
import type { Cap, ScoreInputs } from './types.ts';

interface CapRule extends Cap {
  readonly applies: (inputs: ScoreInputs) => boolean;
  /** Returns the explanation for one endpoint; absent if the published explanation already says all. */
  readonly explain?: (inputs: ScoreInputs) => string;
}

/** Minimum number of scored probes for the grade A: the probes of one day, or of four hours while the endpoint is watched. */
const MIN_A_PROBES = 48;
/** Minimum number of scored probes for the grade B. */
const MIN_B_PROBES = 10;

function explainFewProbes({ probes: { scored } }: ScoreInputs): string {
  const count =
    scored <= 0 ? 'No probe was' : `Only ${formatCount(scored, 'probe')} ${scored === 1 ? 'was' : 'were'}`;
  return `${count} scored in the last ${String(WINDOW_DAYS)} days.`;
}

/**
 * Returns true if a paid endpoint sent no payable challenge for 24 hours: its challenges could not be paid, it sent no
 * challenge, or no probe could be scored, for example because the endpoint blocks probes. An endpoint is paid if it has
 * sent a challenge or advertises payment terms. A free endpoint is not capped, even if a directory lists a price for it.
 */
function lacksPayableChallenge(inputs: ScoreInputs): boolean {
  const isPaidEndpoint = inputs.everChallenged || inputs.advertised !== null;
  if (!isPaidEndpoint || isFree(inputs)) return false;
  return (inputs.probes.scored > 0 && wasUnpayableForOneDay(inputs)) || wasUnscoredForOneDay(inputs);
}

function explainMissingChallenge(inputs: ScoreInputs): string {
  const { lastFailure, lastPayableAt } = inputs;
  if (lastPayableAt === null) return 'No payable challenge was ever received.';
  const since = findUnscoredSince(inputs);
  if (since === null || lastFailure === null || !wasUnscoredForOneDay(inputs)) return MISSING_CHALLENGE;
  return `No probe since ${formatMinute(since)} could be scored (latest failure: ${formatCause(lastFailure)}), so no payable challenge was received.`;
}

const MISSING_CHALLENGE = 'No payable challenge was received in the 24 hours before the last probe.';

/**
 * Published list of all caps: upper limits of the score that apply regardless of the component values. The lowest limit
 * is last.
 */
export const CAP_LIMITS: readonly CapRule[] = [
  {
    rule: `fewer-than-${String(MIN_A_PROBES)}-probes`,
    limit: 79,
    explanation: `From ${String(MIN_B_PROBES)} to ${String(MIN_A_PROBES - 1)} probes were scored in the last ${String(WINDOW_DAYS)} days.`,
    applies: ({ probes: { scored } }) => scored >= MIN_B_PROBES && scored < MIN_A_PROBES,
    explain: explainFewProbes,
  },
  {
    rule: `fewer-than-${String(MIN_B_PROBES)}-probes`,
    limit: 64,
    explanation: `Fewer than ${String(MIN_B_PROBES)} probes were scored in the last ${String(WINDOW_DAYS)} days.`,
    applies: ({ probes: { scored } }) => scored < MIN_B_PROBES,
    explain: explainFewProbes,
  },
  {
    rule: 'payto-changed-recently',
    limit: 64,
    explanation: `The payTo address changed in the last ${String(RECENT_PAYTO_DAYS)} days.`,
    applies: (inputs) => findRecentChanges(inputs, 'payto_change', RECENT_PAYTO_DAYS).length > 0,
  },
  {
    rule: 'no-payable-challenge',
    limit: 49,
    explanation: MISSING_CHALLENGE,
    applies: lacksPayableChallenge,
    explain: explainMissingChallenge,
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

/** Returns all caps that apply, even if their limit is above the score. */
export function findCaps(inputs: ScoreInputs): Cap[] {
  return CAP_LIMITS.filter(({ applies }) => applies(inputs)).map(({ rule, limit, explanation, explain }) => ({
    ...{ rule, limit, explanation: explain?.(inputs) ?? explanation },
  }));
}

/** Returns the score, lowered to the smallest limit of the given caps. */
export function applyCaps(score: number, caps: readonly Cap[]): number {
  return caps.reduce((lowest, { limit }) => Math.min(lowest, limit), score);
}
