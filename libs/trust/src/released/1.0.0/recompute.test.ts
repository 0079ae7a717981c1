import { readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { recompute } from '../../recompute/recompute.ts';
import { reportSchema } from './report-schema.ts';

/** Reports that the released code of version 1.0.0 made, one on each line. */
const REPORTS = readFileSync(new URL('testing/reports-1.0.0.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => reportSchema.parse(JSON.parse(line)));

test.each(REPORTS.map((report) => [report.resource, report] as const))(
  'the report on %s still agrees, and not with another score, recommendation or input',
  (_, report) => {
    expect(recompute(report)).toEqual({ outcome: 'agrees', report });
    const recommendation = report.recommendation === 'caution' ? 'avoid' : 'caution';
    const stats = { ...report.stats, firstSeen: '2020-01-01T00:00:00.000Z' };
    for (const change of [{ score: report.score + 0.1 }, { recommendation }, { stats }]) {
      expect(recompute({ ...report, ...change }).outcome).toBe('differs');
    }
  },
);

it('is tested with every recommendation, flag and cap of the version', () => {
  const count = (names: readonly string[]): number => new Set(names).size;
  expect([
    count(REPORTS.map(({ recommendation }) => recommendation)),
    count(REPORTS.flatMap(({ flags }) => Object.keys(flags))),
    count(REPORTS.flatMap(({ caps }) => caps.map(({ rule }) => rule))),
  ]).toEqual([6, 27, 4]);
});

it('is no report with an invalid member', () => {
  expect(recompute({ ...REPORTS[0], score: 101 })).toMatchObject({
    outcome: 'no-report',
    faults: [{ path: '$.score' }],
  });
  expect(recompute({ scoringVersion: '1.0.0' }).outcome).toBe('no-report');
});
