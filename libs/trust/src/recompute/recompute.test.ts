import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recompute } from './recompute.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { inputsOf } from '../report/report-inputs.ts';
import { reportedVerdict } from '../report/report-verdict.ts';
import { score } from '../score.ts';
import { healthy, NO_ENVELOPES, NOW, untouched } from '../testing/fixtures.ts';
import { DAY_MS } from '../window.ts';
import { allInputs, anyFacts, FULL, reportOf } from '../testing/reports.ts';

type Path = readonly (string | number)[];
type Bag = Record<string | number, unknown>;

/** Members of a report that hold raw figures. */
const RAW = ['stats', 'settlement', 'advertised', 'listing', 'templated', 'description'];

/** What a report says, the formula does not read and nothing else rules out: the signature alone holds it. */
const NOT_READ = [
  'advertised.amount',
  'advertised.asset',
  'advertised.decimals',
  'advertised.observedAt',
  'advertised.options.*.amount',
  'advertised.options.*.amountUsd',
  'advertised.options.*.asset',
  'advertised.options.*.assetSymbol',
  'advertised.options.*.decimals',
  'advertised.options.*.falseUsdc',
  'advertised.options.*.network',
  'advertised.options.*.payTo',
  'advertised.options.*.scheme',
  'advertised.range30d.highUsd',
  'advertised.range30d.lowUsd',
  // It counts whether there is one, not what it says.
  'description',
  'settlement.lastSettledAt',
  'settlement.network',
  'settlement.payTo',
  'settlement.settlements30d',
  'settlement.sharedWith.*',
  'settlement.throughBlock',
  'stats.latency.mean',
  'stats.latency.vantage',
];

/** Its last payable challenge is days old, and nobody looked until this morning. */
const AFTER_A_GAP = healthy({
  lastPayableAt: NOW - 3 * DAY_MS,
  watchedSince: NOW - DAY_MS / 2,
  latestCompliance: 'unpayable',
});

/** A copy of a JSON value with one leaf replaced. */
function withLeaf<T>(value: T, path: Path, leaf: unknown): T {
  const copy = structuredClone(value);
  let parent = copy as Bag;
  for (const step of path.slice(0, -1)) parent = parent[step] as Bag;
  parent[path.at(-1) ?? ''] = leaf;
  return copy;
}

function leafAt(value: unknown, path: Path): unknown {
  return path.reduce((at, step) => (at as Bag)[step], value);
}

/** Paths of all leaves of a JSON value. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, child]) =>
    leaves(child, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Paths of a member's leaves that hold something that can be another value. */
function changeable(report: unknown, name: string): Path[] {
  return leaves((report as Bag)[name], [name]).filter(
    (path) => another(leafAt(report, path), path) !== undefined,
  );
}

/** Another value of the same kind that the schema takes as well. */
function another(leaf: unknown, path: Path): unknown {
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
      fc.property(anyFacts, (facts) => {
        expect(recompute(JSON.parse(JSON.stringify(assembleReport(facts))))).toMatchObject({
          outcome: 'agrees',
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the score itself, to the last digit', () => {
    fc.assert(
      fc.property(allInputs, (inputs) => {
        const report = reportOf(inputs);
        expect(score(inputsOf(report)).score).toBe(report.score);
      }),
    );
  });

  it('finds any one figure of the verdict that was changed, and points at it', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, pick) => {
        const report = reportOf(inputs);
        const derived = Object.keys(reportedVerdict(score(inputs))).filter(
          (name) => name !== 'scoringVersion',
        );
        const paths = derived.flatMap((name) =>
          leaves((report as unknown as Bag)[name], [name]).filter(
            (path) => another(leafAt(report, path), path) !== undefined,
          ),
        );
        const path = paths[pick % paths.length] ?? [];
        const changed = withLeaf(report, path, another(leafAt(report, path), path));
        const found = recompute(changed);
        expect(found.outcome, path.join('.')).toBe('differs');
        if (found.outcome !== 'differs') return;
        expect(found.differences).toHaveLength(1);
        expect(found.first.said).toEqual(leafAt(changed, path));
        expect(found.first.computed).toEqual(leafAt(report, path));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds every raw figure that the formula reads, somewhere, and no other', () => {
    const found = new Set<string>();
    const seen = new Set<string>();
    for (const inputs of [FULL, AFTER_A_GAP, ...fc.sample(allInputs, { numRuns: 300, seed: 7 })]) {
      const report = reportOf(inputs);
      for (const path of RAW.flatMap((name) => changeable(report, name))) {
        const name = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
        seen.add(name);
        if (found.has(name)) continue;
        const changed = withLeaf(report, path, another(leafAt(report, path), path));
        if (recompute(changed).outcome !== 'agrees') found.add(name);
      }
    }
    expect([...seen].filter((name) => !found.has(name)).sort()).toEqual(NOT_READ);
  });

  it('finds a raw figure whenever another verdict follows from it', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, pick) => {
        const report = reportOf(inputs);
        const paths = RAW.flatMap((name) => changeable(report, name));
        const path = paths[pick % paths.length] ?? [];
        const changed = withLeaf(report, path, another(leafAt(report, path), path));
        const says = (of: typeof report): string => JSON.stringify(reportedVerdict(score(inputsOf(of))));
        if (says(changed) !== says(report))
          expect(recompute(changed).outcome, path.join('.')).not.toBe('agrees');
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds what was left out and what was added', () => {
    const report = reportOf(healthy({ description: null }));
    const { 'no-description': flag, ...rest } = report.flags;
    expect(flag).toBeDefined();
    expect(recompute({ ...report, flags: rest })).toMatchObject({
      outcome: 'differs',
      first: { path: "$.flags['no-description']", said: undefined, computed: flag },
    });
    expect(recompute({ ...report, flags: { ...report.flags, slow: flag } })).toMatchObject({
      first: { path: '$.flags.slow', said: flag, computed: undefined },
    });
    expect(recompute({ ...report, reasons: [...report.reasons, 'It is the best.'] })).toMatchObject({
      first: { path: '$.reasons[1]', said: 'It is the best.', computed: undefined },
    });
    expect(
      recompute({ ...report, caps: [{ rule: 'down-now', limit: 34, explanation: 'No.' }] }),
    ).toMatchObject({
      first: { path: '$.caps[0]', computed: undefined },
    });
  });

  it('points at the score first, whatever else differs with it', () => {
    const report = reportOf(FULL);
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

  it('says so when a report is of another version of the formula', () => {
    expect(recompute({ ...reportOf(FULL), scoringVersion: '9.0.0' })).toMatchObject({
      outcome: 'other-version',
      known: '1.0.0',
    });
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'report'],
    ['a list', [reportOf(FULL)]],
    ['an empty object', {}],
    ['names of the prototype', JSON.parse('{"__proto__":{"score":100},"constructor":{"prototype":1}}')],
  ])('takes %s for no report', (_, value) => {
    expect(recompute(value).outcome).toBe('no-report');
  });

  it('says where something is not as a report has it', () => {
    const broken = withLeaf(reportOf(FULL), ['stats', 'changes', 'events', 0, 'kind'], 'luck');
    expect(recompute(broken)).toMatchObject({
      outcome: 'no-report',
      faults: [{ path: '$.stats.changes.events[0].kind' }],
    });
  });

  it('takes the figures of strangers as they come, to the ends of what the schema allows', () => {
    const report = reportOf(untouched({ envelopes: NO_ENVELOPES }));
    for (const path of RAW.flatMap((name) => changeable(reportOf(FULL), name))) {
      for (const leaf of [
        0,
        1e-300,
        1e300,
        9_007_199_254_740_991,
        '9'.repeat(70),
        '0000-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ]) {
        expect(() => recompute(withLeaf(reportOf(FULL), path, leaf))).not.toThrow();
      }
    }
    expect(recompute(report).outcome).toBe('agrees');
  });
});
