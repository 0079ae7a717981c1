import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { recompute } from '../../recompute/recompute.ts';
import { verifySignature } from '../../signing/verify-signature.ts';
import { reportSchema, type Report } from './report-schema.ts';
import { recomputeVersion100 } from './recompute.ts';

/** Reports that the released code of version 1.0.0 made, one on each line. They raise every flag and every cap. */
const REPORTS = readFileSync(new URL('testing/reports-1.0.0.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => reportSchema.parse(JSON.parse(line)));

/** Published public key of RFC 8032, section 7.1, test 1, which signed the first report. */
const EXAMPLE_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  alg: 'Ed25519',
  use: 'sig',
  validFrom: null,
  retiredAt: null,
} as const;

type Bag = Record<string, unknown>;

function findReport(path: string): Report {
  const found = REPORTS.find(({ resource }) => new URL(resource).pathname === path);
  if (found === undefined) throw new RangeError(`There is no report on ${path}.`);
  return found;
}

/** Returns a copy of a report with one value replaced. The path has the form `stats.changes.events.0.at`. */
function withValue(report: Report, path: string, value: unknown): unknown {
  const copy = structuredClone(report);
  const steps = path.split('.');
  // Every step except the last names an object or a list of the report.
  const parent = steps.slice(0, -1).reduce<Bag>((at, step) => at[step] as Bag, copy);
  parent[steps.at(-1) ?? ''] = value;
  return copy;
}

function findPaths(report: unknown): string[] {
  const found = recompute(report);
  return found.outcome === 'differs' ? found.differences.map(({ path }) => path) : [];
}

describe('reports of scoring version 1.0.0', () => {
  test.each(REPORTS.map((report) => [report.resource, report] as const))('%s agrees', (_, report) => {
    expect(recomputeVersion100(report)).toEqual({ outcome: 'agrees', report });
    expect(recompute(report)).toEqual({ outcome: 'agrees', report });
  });

  it('cover the recommendations, flags and caps of the version', () => {
    const count = (names: readonly string[]): number => new Set(names).size;
    expect(count(REPORTS.map(({ recommendation }) => recommendation))).toBe(6);
    expect(count(REPORTS.flatMap(({ flags }) => Object.keys(flags)))).toBe(27);
    expect(count(REPORTS.flatMap(({ caps }) => caps.map(({ rule }) => rule)))).toBe(4);
  });

  it('keep a valid signature', async () => {
    const signed = findReport('/v1/weather');
    const key = { ...EXAMPLE_KEY, kid: signed.signature?.keyId ?? '' };
    expect(await verifySignature(signed, { keys: [key] }, webcrypto.subtle)).toEqual({
      outcome: 'valid',
      key,
    });
  });

  it.each<readonly [resource: string, change: readonly [path: string, value: unknown], difference: string]>([
    ['/v1/weather', ['score', 92], '$.score'],
    ['/v1/weather', ['scoreRange.low', 12.5], '$.scoreRange.low'],
    ['/v1/weather', ['gradeThresholds.A', 90], '$.gradeThresholds.A'],
    ['/v1/weather', ['components.age.value', 0.5], '$.components.age.value'],
    ['/v1/weather', ['components.uptime.explanation', 'Other words.'], '$.components.uptime.explanation'],
    ['/v1/weather', ['projection.score', 1], '$.projection.score'],
    ['/v1/weather', ['freshness.ageSeconds', 77], '$.freshness.ageSeconds'],
    ['/v1/weather', ['stats.observedDays', 95], '$.stats.observedDays'],
    ['/v1/weather', ['reasons.0', 'The score of 91.9 is 65 or more.'], '$.reasons[0]'],
    ['/down', ['caps.1.limit', 50], '$.caps[1].limit'],
    ['/down', ['flags.down-now.evidence.hours', 1], "$.flags['down-now'].evidence.hours"],
    ['/down', ['flags.down-now.message', 'It is down.'], "$.flags['down-now'].message"],
    ['/payto', ['recommendation', 'proceed'], '$.recommendation'],
    ['/free', ['grade', 'A'], '$.grade'],
    ['/new', ['confidence', 0.9], '$.confidence'],
    ['/never', ['breakdown.uptime', 100], '$.breakdown.uptime'],
    ['/price', ['settlement.payers30d', 15], '$.settlement.payers30d'],
    ['/legacy', ['stats.latency.p50', 6_500], '$.stats.latency.p50'],
    ['/price', ['settlement.wallets.0.settlements30d', 81], '$.settlement.settlements30d'],
  ])('%s: a change to %j differs', (resource, [path, value], difference) => {
    expect(findPaths(withValue(findReport(resource), path, value))).toContain(difference);
  });

  it.each<readonly [resource: string, path: string, value: unknown]>([
    ['/v1/weather', 'stats.up', 1_300],
    ['/v1/weather', 'stats.changes.events.0.at', '2026-05-31T00:00:00.000Z'],
    ['/v1/weather', 'settlement.volumeUsd30d', '999.000000'],
    ['/payto', 'stats.changes.events', []],
    ['/down', 'stats.downSince', null],
    ['/unpayable', 'advertised.falseUsdc', false],
    ['/legacy', 'listing.status', 'listed'],
    ['/items/:id', 'templated', false],
    ['/free', 'description', 'Weather by city'],
  ])('%s: a changed input %s changes the verdict', (resource, path, value) => {
    expect(findPaths(withValue(findReport(resource), path, value))).not.toEqual([]);
  });

  it.each<readonly [path: string, value: unknown, fault: string]>([
    ['score', 101, '$.score'],
    ['schemaVersion', '1.1.0', '$.schemaVersion'],
    ['stats.changes.events.0.kind', 'luck', '$.stats.changes.events[0].kind'],
    ['stats.added', 1, '$.stats'],
  ])('an invalid %s is a fault', (path, value, fault) => {
    expect(recompute(withValue(findReport('/v1/weather'), path, value))).toMatchObject({
      outcome: 'no-report',
      faults: [{ path: fault }],
    });
  });

  it.each<readonly [string, unknown]>([
    ['no other member', { scoringVersion: '1.0.0' }],
    ['names of the prototype', JSON.parse('{"scoringVersion":"1.0.0","__proto__":{"score":100}}')],
  ])('a report with %s is no report', (_, value) => {
    expect(recompute(value).outcome).toBe('no-report');
  });
});
