import { DAY_MS } from '@touchstone/common';
import { roundHalfUp } from '../../numbers/rounding.ts';
import { applyCaps, findCaps } from './caps.ts';
import { computeWeightedMean, measureComponentValues } from './components.ts';
import {
  isFree,
  isLastProbeStale,
  wasChallengedWithinOneDay,
  wasUnpayableForOneDay,
  WINDOW_DAYS,
} from './endpoint-state.ts';
import { toGrade } from './recommendation.ts';
import type { ScoreInputs, Verdict } from './types.ts';

const AHEAD_MS = WINDOW_DAYS * DAY_MS;
const NO_ENVELOPES: ScoreInputs['envelopes'] = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };

/**
 * Projects the score 30 days ahead, under the assumption that the current state of the endpoint continues. Every
 * projected probe has the result of the last scored probe, and every projected challenge has the latest compliance
 * verdict. Payment terms do not change, so past changes have no cost any more. Settlements and latency stay, and the
 * endpoint is 30 days older.
 *
 * An endpoint that is down stays down and sends no challenges. An unpayable endpoint stays unpayable.
 *
 * @returns null if no probe was scored in the last 24 hours, because the current state is then unknown
 */
export function projectScore(inputs: ScoreInputs): Verdict['projection'] {
  const { now, probes, lastProbedAt } = inputs;
  if (probes.scored <= 0 || lastProbedAt === null || isLastProbeStale({ now, lastProbedAt })) return null;
  const future = extrapolateInputs(inputs);
  const points = roundHalfUp(
    applyCaps(computeWeightedMean(measureComponentValues(future)), findCaps(future)),
    1,
  );
  return { at: future.now, score: points, grade: isFree(future) ? '?' : toGrade(points) };
}

/** Returns the score inputs of the endpoint as they will be after 30 days in its current state. */
function extrapolateInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, downSince, lastChallengedAt, lastPayableAt } = inputs;
  const now = inputs.now + AHEAD_MS;
  // A wrong clock may have produced times in the future. They are limited to now, so that none lies in the projected
  // days.
  const limitToNow = (at: number): number => Math.min(at, inputs.now);
  const isUp = downSince === null;
  const charges = isUp && wasChallengedWithinOneDay(inputs);
  return {
    ...inputs,
    now,
    firstSeen: limitToNow(inputs.firstSeen),
    // All projected probes have the same result. Their number does not affect the score, so the current number is kept.
    probes: { ...probes, up: isUp ? probes.scored : 0 },
    envelopes: charges ? extrapolateEnvelopes(inputs) : NO_ENVELOPES,
    changes: [],
    answeredFree: isUp && inputs.answeredFree,
    lastProbedAt: now,
    downSince: isUp ? null : limitToNow(downSince),
    lastChallengedAt: charges ? now : lastChallengedAt,
    lastPayableAt: charges && isPayable(inputs) ? now : lastPayableAt && limitToNow(lastPayableAt),
    watchedSince: limitToNow(inputs.now),
  };
}

/**
 * Returns the challenges that are assumed for the next 30 days. Each one has the latest compliance verdict. If that
 * verdict is unknown, they have the verdicts of the last 30 days.
 */
function extrapolateEnvelopes({
  envelopes,
  latestCompliance,
  probes,
}: ScoreInputs): ScoreInputs['envelopes'] {
  return latestCompliance === null ? envelopes : { ...NO_ENVELOPES, [latestCompliance]: probes.scored };
}

function isPayable(inputs: ScoreInputs): boolean {
  return inputs.latestCompliance === null
    ? !wasUnpayableForOneDay(inputs)
    : inputs.latestCompliance !== 'unpayable';
}
