import { capsOf, lower } from './caps.ts';
import { componentValues, weightedMean } from './components/components.ts';
import { isCharging, isFree, isOutOfSight, wasUnpayableForADay } from './endpoint-state.ts';
import { gradeOf } from './recommendation/grade.ts';
import { roundHalfUp } from './numbers/rounding.ts';
import { DAY_MS, WINDOW_DAYS } from './window.ts';
import type { ScoreInputs, Verdict } from './types.ts';

const AHEAD_MS = WINDOW_DAYS * DAY_MS;
const NO_ENVELOPES: ScoreInputs['envelopes'] = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };

/**
 * The score 30 days from now if today's state holds: every probe of those days ends as the last one did, every
 * challenge has the latest verdict, changes have faded, it is 30 days older; latency and settlements are as today.
 * What is down stays down and asks for nothing; what could not be paid still cannot.
 *
 * @returns null where nothing was measured, or not for a day, so that no state of today is known that could hold
 */
export function project(inputs: ScoreInputs): Verdict['projection'] {
  const { now, probes, lastProbedAt } = inputs;
  if (probes.scored <= 0 || lastProbedAt === null || isOutOfSight({ now, lastProbedAt })) return null;
  const then = held(inputs);
  const points = roundHalfUp(lower(weightedMean(componentValues(then)), capsOf(then)), 1);
  return { at: then.now, score: points, grade: isFree(then) ? '?' : gradeOf(points) };
}

/** Inputs as they are after 30 days in which nothing changes. */
function held(inputs: ScoreInputs): ScoreInputs {
  const { probes, downSince, lastChallengedAt, lastPayableAt } = inputs;
  const now = inputs.now + AHEAD_MS;
  // A clock that runs ahead must not make something of the past happen in those days.
  const past = (at: number): number => Math.min(at, inputs.now);
  const isUp = downSince === null;
  const charges = isUp && isCharging(inputs);
  return {
    ...inputs,
    now,
    firstSeen: past(inputs.firstSeen),
    // All of a month's probes alike: how many they are moves confidence, and no score.
    probes: { ...probes, up: isUp ? probes.scored : 0 },
    envelopes: charges ? heldEnvelopes(inputs) : NO_ENVELOPES,
    changes: [],
    answeredFree: isUp && inputs.answeredFree,
    lastProbedAt: now,
    downSince: isUp ? null : past(downSince),
    lastChallengedAt: charges ? now : lastChallengedAt,
    lastPayableAt: charges && isPayable(inputs) ? now : lastPayableAt && past(lastPayableAt),
    watchedSince: past(inputs.now),
  };
}

/** A month of challenges like the latest; where its verdict is not known, like those of this month. */
function heldEnvelopes({ envelopes, latestCompliance, probes }: ScoreInputs): ScoreInputs['envelopes'] {
  return latestCompliance === null ? envelopes : { ...NO_ENVELOPES, [latestCompliance]: probes.scored };
}

function isPayable(inputs: ScoreInputs): boolean {
  return inputs.latestCompliance === null
    ? !wasUnpayableForADay(inputs)
    : inputs.latestCompliance !== 'unpayable';
}
