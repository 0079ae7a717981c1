import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import { score } from '../score.ts';
import {
  createFailure,
  createHealthyInputs,
  createLastDay,
  createUnprobedInputs,
  NOW,
  toDaysAgo,
  withProbes,
} from '../testing/fixtures.ts';
import type { Failure, ScoreInputs } from '../types.ts';

function explain(change: Partial<ScoreInputs>): readonly string[] {
  return score(createHealthyInputs(change)).reasons;
}

/** Score inputs of an endpoint that has failed every probe since it was first seen on 2026-05-22. */
function createDeadInputs(failure: Partial<Failure>): ScoreInputs {
  const since = toDaysAgo(10);
  return createUnprobedInputs({
    ...{ firstSeen: since, downSince: since, lastScoredAt: NOW, watchedSince: since },
    ...withProbes(480, 0),
    last24h: createLastDay(48, 'down'),
    last7d: { scored: 336, up: 0 },
    lastFailure: createFailure({ since, ...failure }),
  });
}

describe('an endpoint that is down', () => {
  test.each<[detail: string, failure: Partial<Failure>]>([
    ['HTTP 410 Gone', {}],
    [
      'TLS certificate expired on 2026-05-22',
      {
        ...{ phase: 'tls', httpStatus: null, error: 'tls-certificate-expired' },
        detail: 'TLS certificate expired on 2026-05-22.',
      },
    ],
  ])('is reported with its cause and date: %s', (cause, failure) => {
    expect(score(createDeadInputs(failure)).reasons).toEqual([
      `No probe has ever succeeded, failing since 2026-05-22 00:00 UTC (latest failure: ${cause}).`,
    ]);
  });

  test('for less than a day, with a low score', () => {
    const since = NOW - 5 * HOUR_MS;
    expect(score({ ...createDeadInputs({ since }), firstSeen: since, downSince: since }).reasons).toEqual([
      'Score 0.3 of 100, below 35: 0 of 480 scored probes succeeded (0 %). First seen less than 1 day ago.',
      'No probe has ever succeeded, failing since 2026-05-31 19:00 UTC (latest failure: HTTP 410 Gone).',
    ]);
  });

  test('for less than a day, with a high score, is named once', () => {
    expect(
      explain({ downSince: NOW - HOUR_MS, lastFailure: createFailure(), ...withProbes(1_000, 500) }),
    ).toEqual([
      'No successful probe since 2026-05-31 23:00 UTC (latest failure: HTTP 410 Gone).',
      '500 of 1,000 scored probes in the last 30 days succeeded (50.0 %).',
    ]);
  });

  test('names the cause of later blocked probes once', () => {
    const since = toDaysAgo(9);
    const blocked = createFailure({ since, error: 'http-403', detail: 'HTTP 403 Forbidden.' });
    const probes = withProbes(94, 93, { total: 672, blocked: 578 });
    expect(explain({ downSince: since, lastScoredAt: since, lastFailure: blocked, ...probes })).toEqual([
      'No successful probe since 2026-05-23 00:00 UTC (latest failure: HTTP 403 Forbidden).',
      'Probes are blocked: 94 scored of 672 probes, 578 blocked; none scored since 2026-05-23 00:00 UTC.',
    ]);
  });

  test('an older failure is not named as the cause', () => {
    expect(
      explain({
        downSince: NOW - HOUR_MS,
        lastFailure: createFailure({ at: toDaysAgo(3), since: toDaysAgo(3) }),
      }),
    ).toEqual(['No successful probe since 2026-05-31 23:00 UTC.']);
  });

  test('the score is not explained by the limit that an outage sets', () => {
    expect(explain({ downSince: toDaysAgo(3), lastFailure: createFailure({ since: toDaysAgo(3) }) })).toEqual(
      ['No successful probe since 2026-05-29 00:00 UTC (latest failure: HTTP 410 Gone).'],
    );
  });
});
