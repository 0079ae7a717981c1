import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrustReport } from '@touchstone/contract';
import { DAY_MS } from '@touchstone/common';
import { recompute } from './recompute.ts';
import { readInputs } from '../report/report-inputs.ts';
import { toReportVerdict } from '../report/report-verdict.ts';
import { score } from '../score.ts';
import { createHealthyInputs, NOW } from '../testing/fixtures.ts';
import { allInputs, anyReport, createLiveFreshness, FULL_INPUTS, createReport } from '../testing/reports.ts';

type Path = readonly (string | number)[];
type Bag = Record<string | number, unknown>;

/** Members of a report that hold raw figures. */
const RAW = [
  ...['stats', 'settlement', 'lastFailure', 'advertised', 'listing', 'templated', 'description'],
  ...['compliance', 'delivery', 'freshness', 'related'],
];

/**
 * Raw figures whose change `recompute` cannot detect, because the formula does not use them and no other figure
 * contradicts them. Only the signature protects these figures. The list includes most of `compliance`, `freshness` and
 * `related`: the results of the single checks, the live probe, and the score of another endpoint.
 */
const UNCHECKED = [
  'advertised.amountRange30d.highUsd',
  'advertised.amountRange30d.lowUsd',
  'advertised.decimals',
  'advertised.observedAt',
  'advertised.options.*.amountUsd',
  'advertised.options.*.assetSymbol',
  'advertised.options.*.decimals',
  'advertised.options.*.falseUsdc',
  'advertised.options.*.scheme',
  ...['axis', 'fix', 'id', 'message', 'reference', 'severity'].map((name) => `compliance.failed.*.${name}`),
  'compliance.observedAt',
  'compliance.passed.*',
  'compliance.skippedCount',
  'compliance.version',
  'delivery.purchases.*.totalMs',
  // Only the presence of a description affects the verdict, so a changed text is not detected.
  'description',
  ...['confirms', 'detail', 'httpStatus', 'live', 'liveProbeMs', 'outcome'].map(
    (name) => `freshness.${name}`,
  ),
  'lastFailure.causes30d.http-410',
  'lastFailure.causes30d.http-429',
  'lastFailure.causes30d.redirect',
  'lastFailure.causes30d.timeout',
  'lastFailure.causes30d.tls-certificate-expired',
  'listing.source',
  ...['confidence', 'endpointPage', 'grade', 'recommendation', 'resource', 'score'].map(
    (name) => `related.${name}`,
  ),
  'settlement.lastSettledAt',
  'settlement.network',
  'settlement.payTo',
  'settlement.settlements30d',
  'settlement.sharedWith.*',
  'settlement.throughBlock',
  'stats.avgLatencyMs',
  'stats.firstByte.p50',
  'stats.firstByte.p95',
  // Only the presence of a successful probe affects the verdict.
  'stats.lastUpAt',
  'stats.payToDistinct30d',
];

const RELATED: TrustReport['related'] = {
  resource: 'https://api.example.com/v1/weather?city=Oslo',
  ...{ score: 71.5, grade: 'B', recommendation: 'caution', confidence: 0.5 },
  endpointPage: 'https://touchstone.example/endpoint/related',
};

/** Score inputs after a gap in monitoring that ended half a day ago. The last payable challenge is three days old. */
const AFTER_A_GAP = createHealthyInputs({
  lastPayableAt: NOW - 3 * DAY_MS,
  watchedSince: NOW - DAY_MS / 2,
  latestCompliance: 'unpayable',
});

/** Returns a copy of a JSON value with one leaf replaced. */
function withLeaf<T>(value: T, path: Path, leaf: unknown): T {
  const copy = structuredClone(value);
  let parent = copy as Bag;
  for (const step of path.slice(0, -1)) parent = parent[step] as Bag;
  parent[path.at(-1) ?? ''] = leaf;
  return copy;
}

function readLeaf(value: unknown, path: Path): unknown {
  return path.reduce((at, step) => (at as Bag)[step], value);
}

/** Returns the paths of all leaves of a JSON value. */
function findLeaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, child]) =>
    findLeaves(child, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Returns the paths of the leaves of a report member, if another valid value exists for the leaf. */
function findChangeableLeaves(report: unknown, name: string): Path[] {
  return findLeaves((report as Bag)[name], [name]).filter(
    (path) => toOtherValue(readLeaf(report, path), path) !== undefined,
  );
}

/** Returns a different value for a leaf, which the report schema also accepts; undefined if there is no such value. */
function toOtherValue(leaf: unknown, path: Path): unknown {
  const name = String(path.at(-1));
  if (typeof leaf === 'boolean') return !leaf;
  if (typeof leaf === 'number') return leaf >= 1 ? leaf - 1 : leaf < 0.5 ? leaf + 0.25 : leaf - 0.25;
  if (typeof leaf !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(leaf)) return new Date(Date.parse(leaf) - 2 * DAY_MS).toISOString();
  const choices: Readonly<Record<string, readonly string[]>> = {
    grade: ['A', 'B'],
    recommendation: ['proceed', 'avoid'],
    severity: ['error', 'warning'],
    kind: ['price_change', 'asset_network_change'],
    latestCompliance: ['pass', 'errors'],
    status: ['listed', 'delisted'],
    source: ['directory', 'adopted'],
    axis: ['payable', 'hygiene'],
  };
  const other = choices[name]?.find((choice) => choice !== leaf);
  if (other !== undefined) return other;
  return /^\d+(\.\d+)?$/.test(leaf)
    ? leaf.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10))
    : `${leaf}x`;
}

describe('recompute', () => {
  it('agrees with every report', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(recompute(JSON.parse(JSON.stringify(report)))).toMatchObject({ outcome: 'agrees' });
      }),
      { numRuns: 200 },
    );
  });

  it('finds a single changed figure of the verdict and returns its path', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, pick) => {
        const report = createReport(inputs);
        const derived = Object.keys(toReportVerdict(score(inputs))).filter(
          (name) => name !== 'scoringVersion',
        );
        const paths = derived.flatMap((name) =>
          findLeaves((report as unknown as Bag)[name], [name]).filter(
            (path) => toOtherValue(readLeaf(report, path), path) !== undefined,
          ),
        );
        const path = paths[pick % paths.length] ?? [];
        const changed = withLeaf(report, path, toOtherValue(readLeaf(report, path), path));
        const found = recompute(changed);
        expect(found.outcome, path.join('.')).toBe('differs');
        if (found.outcome !== 'differs') return;
        expect(found.differences).toHaveLength(1);
        expect(found.first.said).toEqual(readLeaf(changed, path));
        expect(found.first.computed).toEqual(readLeaf(report, path));
      }),
      { numRuns: 200 },
    );
  });

  it('finds a change of every raw figure except the unchecked ones', () => {
    const found = new Set<string>();
    const seen = new Set<string>();
    for (const inputs of [FULL_INPUTS, AFTER_A_GAP, ...fc.sample(allInputs, { numRuns: 100, seed: 7 })]) {
      const report = createReport(inputs, {
        options: { related: RELATED, freshness: createLiveFreshness(inputs.lastScoredAt) },
      });
      for (const path of RAW.flatMap((name) => findChangeableLeaves(report, name))) {
        const name = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
        seen.add(name);
        if (found.has(name)) continue;
        const changed = withLeaf(report, path, toOtherValue(readLeaf(report, path), path));
        if (recompute(changed).outcome !== 'agrees') found.add(name);
      }
    }
    expect([...seen].filter((name) => !found.has(name)).sort()).toEqual(UNCHECKED);
  });

  it('finds a changed raw figure whenever the verdict depends on it', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, pick) => {
        const report = createReport(inputs);
        const paths = RAW.flatMap((name) => findChangeableLeaves(report, name));
        const path = paths[pick % paths.length] ?? [];
        const changed = withLeaf(report, path, toOtherValue(readLeaf(report, path), path));
        const toVerdictText = (of: typeof report): string =>
          JSON.stringify(toReportVerdict(score(readInputs(of))));
        if (toVerdictText(changed) !== toVerdictText(report))
          expect(recompute(changed).outcome, path.join('.')).not.toBe('agrees');
      }),
      { numRuns: 200 },
    );
  });

  it('finds removed and added members', () => {
    const report = createReport(createHealthyInputs({ description: null }));
    const { 'no-description': flag, ...rest } = report.flags;
    expect(flag).toBeDefined();
    expect(recompute({ ...report, flags: rest })).toMatchObject({
      outcome: 'differs',
      first: { path: "$.flags['no-description']", said: undefined, computed: flag },
    });
    expect(recompute({ ...report, flags: { ...report.flags, slow: flag } })).toMatchObject({
      first: { path: '$.flags.slow', said: flag, computed: undefined },
    });
    expect(recompute({ ...report, reasons: [...report.reasons, 'An added reason.'] })).toMatchObject({
      first: { path: '$.reasons[1]', said: 'An added reason.', computed: undefined },
    });
    expect(
      recompute({ ...report, caps: [{ rule: 'down-now', limit: 34, explanation: 'No.' }] }),
    ).toMatchObject({
      first: { path: '$.caps[0]', computed: undefined },
    });
  });

  it('returns the score as the first difference', () => {
    const report = createReport(FULL_INPUTS);
    const better = withLeaf(report, ['stats', 'changes', 'events'], []);
    const found = recompute(better);
    expect(found.outcome).toBe('differs');
    if (found.outcome !== 'differs') return;
    expect(found.first.path).toBe('$.score');
    expect(found.differences.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '$.components.stability.value',
        '$.stats.changes.price',
        '$.breakdown.stability',
      ]),
    );
  });

  it('returns other-version for another version of the formula', () => {
    expect(recompute({ ...createReport(FULL_INPUTS), scoringVersion: '9.0.0' })).toMatchObject({
      outcome: 'other-version',
      known: '1.0.0',
    });
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'report'],
    ['a list', [createReport(FULL_INPUTS)]],
    ['an empty object', {}],
    ['names of the prototype', JSON.parse('{"__proto__":{"score":100},"constructor":{"prototype":1}}')],
  ])('returns no-report for %s', (_, value) => {
    expect(recompute(value).outcome).toBe('no-report');
  });

  it('returns the path of a schema violation', () => {
    const broken = withLeaf(createReport(FULL_INPUTS), ['stats', 'changes', 'events', 0, 'kind'], 'luck');
    expect(recompute(broken)).toMatchObject({
      outcome: 'no-report',
      faults: [{ path: '$.stats.changes.events[0].kind' }],
    });
  });

  it('does not throw for extreme figures', () => {
    const report = createReport(FULL_INPUTS);
    for (const path of RAW.flatMap((name) => findChangeableLeaves(report, name))) {
      for (const leaf of [
        0,
        1e-300,
        1e300,
        9_007_199_254_740_991,
        '9'.repeat(70),
        '0000-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ]) {
        expect(() => recompute(withLeaf(report, path, leaf))).not.toThrow();
      }
    }
  });
});
