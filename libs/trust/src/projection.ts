import { DAY_MS } from '@touchstone/common';
import { applyCaps, findCaps } from './caps.ts';
import { computeWeightedMean, measureComponentValues } from './components/components.ts';
import { countChallenges, isFree } from './endpoint-state.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import { toGrade } from './recommendation/grade.ts';
import type { ScoreInputs, Verdict } from './types.ts';
import { WINDOW_DAYS } from './window.ts';

const AHEAD_MS = WINDOW_DAYS * DAY_MS;

/**
 * Projects the score 30 days ahead, under the assumption that the last 24 hours repeat. The projected probes and
 * challenges have the shares of these hours, not the result of the last probe, so two projections a second apart agree.
 * Payment terms do not change, so past changes have no cost any more. Settlements and latency stay, and the endpoint is
 * 30 days older.
 *
 * @returns null if no probe was scored in the last 24 hours, because the current state is then unknown
 */
export function projectScore(inputs: ScoreInputs): Verdict['projection'] {
  if (inputs.last24h.scored <= 0) return null;
  const future = extrapolateInputs(inputs);
  const points = roundHalfUp(
    applyCaps(computeWeightedMean(measureComponentValues(future)), findCaps(future)),
    1,
  );
  return { at: future.now, score: points, grade: isFree(future) ? '?' : toGrade(points) };
}

/** Returns the score inputs of the endpoint as they will be after 30 days that repeat the last 24 hours. */
function extrapolateInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, last24h, downSince, lastChallengedAt, lastPayableAt } = inputs;
  const now = inputs.now + AHEAD_MS;
  // A wrong clock may have produced times in the future. They are limited to now, so that none lies in the projected
  // days.
  const limitToNow = (at: number): number => Math.min(at, inputs.now);
  const isDown = last24h.up <= 0;
  const isChallenging = countChallenges(last24h) > 0;
  const isPayable = countChallenges(last24h) > last24h.envelopes.unpayable;
  return {
    ...inputs,
    now,
    firstSeen: limitToNow(inputs.firstSeen),
    probes: { ...probes, scored: last24h.scored, up: last24h.up },
    envelopes: last24h.envelopes,
    changes: [],
    answeredFree: last24h.free > 0,
    lastScoredAt: now,
    downSince: isDown ? limitToNow(downSince ?? inputs.now) : null,
    lastChallengedAt: isChallenging ? now : lastChallengedAt && limitToNow(lastChallengedAt),
    lastPayableAt: isPayable ? now : lastPayableAt && limitToNow(lastPayableAt),
    watchedSince: limitToNow(inputs.now),
  };
}
