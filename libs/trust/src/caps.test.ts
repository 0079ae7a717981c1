import { expect, test } from 'vitest';
import { findCaps, applyCaps } from './caps.ts';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  withProbes,
  createChange,
  createFailure,
  NOW,
} from './testing/fixtures.ts';
import type { Failure, ScoreInputs } from './types.ts';

const SINCE = 'No probe since 2026-05-31 00:00 UTC could be scored';
const NO_CHALLENGE = ', so no payable challenge was received.';

/** Returns the inputs of an endpoint whose probes could not be scored in the last days. */
function failedFor(days: number, cause: Partial<Failure>): Partial<ScoreInputs> {
  const since = toDaysAgo(days);
  return { lastScoredAt: since - 1, lastFailure: createFailure({ at: NOW, since, ...cause }) };
}

// The tests of situations and flags cover the conditions that caps share with flags.
test.each<[string, Partial<ScoreInputs>, string[]]>([
  [
    'a payTo change seven days ago',
    { changes: [createChange('payto_change', toDaysAgo(7))] },
    ['payto-changed-recently'],
  ],
  [
    'a payTo change in the future, caused by a wrong clock',
    { changes: [createChange('payto_change', toDaysAgo(-1))] },
    ['payto-changed-recently'],
  ],
  [
    'no payable challenge ever, for an endpoint that advertises terms',
    { lastPayableAt: null, everChallenged: false },
    ['no-payable-challenge'],
  ],
  [
    'no payable challenge and no scored probe',
    { lastPayableAt: null, ...withProbes(0, 0) },
    ['fewer-than-10-probes'],
  ],
  [
    'no payable challenge, for an endpoint that never charged',
    { lastPayableAt: null, everChallenged: false, advertised: null },
    [],
  ],
])('caps for %s', (_, change, expected) => {
  expect(findCaps(createHealthyInputs(change)).map(({ rule }) => rule)).toEqual(expected);
});

const HTTP_429 = { httpStatus: 429, error: 'http-429', detail: 'HTTP 429 Too Many Requests.' };
const REDIRECT = { httpStatus: 308, error: 'redirect', detail: 'HTTP 308 Permanent Redirect.' };

test.each<[string, Partial<ScoreInputs>, string[]]>([
  [
    'blocked for 24 hours',
    failedFor(1, HTTP_429),
    [`${SINCE} (latest failure: HTTP 429 Too Many Requests)${NO_CHALLENGE}`],
  ],
  ['blocked for less than 24 hours', failedFor(0.999, HTTP_429), []],
  [
    'redirected for 24 hours',
    failedFor(1, REDIRECT),
    [`${SINCE} (latest failure: HTTP 308 Permanent Redirect)${NO_CHALLENGE}`],
  ],
  ['blocked, and then payable', { ...failedFor(1, HTTP_429), lastScoredAt: NOW }, []],
  ['blocked, with a gap in monitoring', { ...failedFor(1, HTTP_429), watchedSince: toDaysAgo(0.5) }, []],
  ['blocked, but free', { ...failedFor(1, HTTP_429), everChallenged: false, answeredFree: true }, []],
])('the cap for an endpoint that was %s', (_, change, expected) => {
  expect(findCaps(createHealthyInputs(change)).map(({ explanation }) => explanation)).toEqual(expected);
});

test.each([
  [0, ['fewer-than-10-probes: 64. No probe was scored in the last 30 days.']],
  [1, ['fewer-than-10-probes: 64. Only 1 probe was scored in the last 30 days.']],
  [9, ['fewer-than-10-probes: 64. Only 9 probes were scored in the last 30 days.']],
  [10, ['fewer-than-48-probes: 79. Only 10 probes were scored in the last 30 days.']],
  [47, ['fewer-than-48-probes: 79. Only 47 probes were scored in the last 30 days.']],
  [48, []],
])('the caps for %i scored probes name their number', (scored, expected) => {
  const caps = findCaps(createHealthyInputs(withProbes(scored, scored)));
  expect(caps.map(({ rule, limit, explanation }) => `${rule}: ${String(limit)}. ${explanation}`)).toEqual(
    expected,
  );
});

test('the smallest cap decides, and a cap never raises the score', () => {
  const caps = findCaps(
    createHealthyInputs({ downSince: toDaysAgo(3), ...withAdvertised({ falseUsdc: true }) }),
  );
  expect(caps.map(({ limit }) => limit)).toEqual([34, 20]);
  expect([applyCaps(90, caps), applyCaps(10, caps), applyCaps(90, [])]).toEqual([20, 10, 90]);
});
