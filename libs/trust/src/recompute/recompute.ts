import { trustReportSchema, type TrustReport } from '@touchstone/contract';
import { findContradictions } from './contradictions.ts';
import { findDifferences, appendToPath } from './differences.ts';
import type { Recomputed } from './recomputed.ts';
import { computeAgeSeconds } from '../report/assemble-report.ts';
import { readInputs } from '../report/report-inputs.ts';
import { computeDerivedStats } from '../report/report-stats.ts';
import { parseIsoTimeOrNull, parseIsoTime } from '../report/report-values.ts';
import { toReportVerdict } from '../report/report-verdict.ts';
import { isPayableNow } from '../endpoint-state.ts';
import { score } from '../score.ts';
import type { ScoreInputs } from '../types.ts';
import { SCORING_VERSION } from '../versions.ts';

export type { Recomputed, ReportFault } from './recomputed.ts';

/**
 * Recomputes the derived figures of a report from its raw figures, and compares them to the last digit. Derived figures
 * are the whole verdict, and others such as counts and ages. Also checks that raw figures do not contradict each other.
 * Agreement proves that the verdict follows from the raw figures. Only the signature proves who published them.
 *
 * A report of another scoring version is not recomputed, because another formula can give other figures.
 *
 * @param value any value, such as untrusted parsed JSON
 */
export function recompute(value: unknown): Recomputed {
  const parsed = trustReportSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: toJsonPath(path), message }));
    return { outcome: 'no-report', faults };
  }
  const report = parsed.data;
  if (report.scoringVersion !== SCORING_VERSION) {
    return { outcome: 'other-version', report, known: SCORING_VERSION };
  }
  const inputs = readInputs(report);
  const pairs = [...toVerdictPairs(report, inputs), ...toDerivedPairs(report, inputs)];
  const differences = [
    ...pairs.flatMap(([path, said, computed]) => findDifferences(path, said, computed)),
    ...findContradictions(report),
  ];
  const [first] = differences;
  return first === undefined
    ? { outcome: 'agrees', report }
    : { outcome: 'differs', report, first, differences };
}

type Pair = readonly [path: string, said: unknown, computed: unknown];

/** Returns path, reported value and recomputed value for each member of the verdict, in the order of the report. */
function toVerdictPairs(report: TrustReport, inputs: ScoreInputs): Pair[] {
  const said: Readonly<Record<string, unknown>> = report;
  return Object.entries(toReportVerdict(score(inputs))).map(([name, computed]) => [
    appendToPath('$', name),
    said[name],
    computed,
  ]);
}

/**
 * Returns path, reported value and recomputed value for each figure that is derived from other figures but is not part
 * of the verdict.
 */
function toDerivedPairs(report: TrustReport, inputs: ScoreInputs): Pair[] {
  const { stats, freshness, listing } = report;
  const derived = computeDerivedStats(inputs);
  const age = computeAgeSeconds(parseIsoTime(report.generatedAt), parseIsoTimeOrNull(freshness.probedAt));
  return [
    ['$.freshness.ageSeconds', freshness.ageSeconds, age],
    ['$.listing.firstSeen', listing.firstSeen, stats.firstSeen],
    ['$.stats.windowDays', stats.windowDays, derived.windowDays],
    ['$.stats.envelopes.checked', stats.envelopes.checked, derived.checked],
    ['$.stats.envelopes.valid', stats.envelopes.valid, derived.valid],
    ['$.stats.latency.maxErrorPercent', stats.latency?.maxErrorPercent, derived.maxErrorPercent],
    ['$.stats.changes.price', stats.changes.price, derived.price],
    ['$.stats.changes.payTo', stats.changes.payTo, derived.payTo],
    ['$.stats.changes.assetNetwork', stats.changes.assetNetwork, derived.assetNetwork],
    ['$.stats.settledVolumeUsd30d', stats.settledVolumeUsd30d, derived.settledVolumeUsd30d],
    ['$.stats.distinctPayers30d', stats.distinctPayers30d, derived.distinctPayers30d],
    [
      '$.compliance.payable',
      report.compliance?.payable,
      report.compliance ? isPayableNow(inputs) : undefined,
    ],
    ['$.stats.observedDays', stats.observedDays, derived.observedDays],
  ];
}

function toJsonPath(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(appendToPath, '$');
}
