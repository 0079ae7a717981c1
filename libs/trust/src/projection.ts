import { DAY_MS } from '@touchstone/common';
import { findCaps, applyCaps } from './caps.ts';
import { measureComponentValues, computeWeightedMean } from './components/components.ts';
import {
  wasChallengedWithinOneDay,
  isFree,
  isLastProbeStale,
  wasUnpayableForOneDay,
} from './endpoint-state.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import { toGrade } from './recommendation/grade.ts';
import type { ScoreInputs, Verdict } from './types.ts';
import { WINDOW_DAYS } from './window.ts';

const AHEAD_MS = WINDOW_DAYS * DAY_MS;
const NO_ENVELOPES: ScoreInputs['envelopes'] = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };

/**
 * Projects the score 30 days ahead under the assumption that the current state continues. Every probe ends like the last
 * scored one, every challenge has the latest verdict, changes have no cost any more, and the endpoint is 30 days older.
 * Latency and settlements stay. An endpoint that is down stays down and sends no challenges; an unpayable endpoint stays
 * unpayable.
 *
 * @returns null without a scored probe in the last 24 hours, because the current state is unknown
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

/** Returns the inputs after 30 days without a change. */
function extrapolateInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, downSince, lastChallengedAt, lastPayableAt } = inputs;
  const now = inputs.now + AHEAD_MS;
  // A wrong clock may have produced times in the future. They must not fall into the projected days.
  const limitToNow = (at: number): number => Math.min(at, inputs.now);
  const isUp = downSince === null;
  const charges = isUp && wasChallengedWithinOneDay(inputs);
  return {
    ...inputs,
    now,
    firstSeen: limitToNow(inputs.firstSeen),
    // All probes of the month have the same result. Their number affects confidence, but not the score.
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

/** Returns a month of challenges with the latest verdict, or with the verdicts of this month if it is unknown. */
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
