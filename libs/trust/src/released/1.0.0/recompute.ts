/**
 * This folder is the score formula 1.0.0, published on 2026-11-21, with the report schema of that version. It never
 * changes, because reports of this version must stay recomputable. A correction of the formula goes into a new version.
 */

import { appendToPath, findDifferences } from '../../recompute/differences.ts';
import type { Recomputed } from '../../recompute/recomputed.ts';
import { findContradictions } from './contradictions.ts';
import { computeDerivedStats, readInputs } from './report-inputs.ts';
import { reportSchema, type Report } from './report-schema.ts';
import { parseIsoTime, parseIsoTimeOrNull } from './report-values.ts';
import { toReportVerdict } from './report-verdict.ts';
import { score } from './score.ts';
import type { ScoreInputs } from './types.ts';

/**
 * Recomputes the derived figures of a report of scoring version 1.0.0, and compares them to the last digit. Also checks
 * that raw figures do not contradict each other.
 *
 * @param value any value, such as untrusted parsed JSON
 */
export function recomputeVersion100(value: unknown): Recomputed {
  const parsed = reportSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: toJsonPath(path), message }));
    return { outcome: 'no-report', faults };
  }
  const report = parsed.data;
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
function toVerdictPairs(report: Report, inputs: ScoreInputs): Pair[] {
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
function toDerivedPairs(report: Report, inputs: ScoreInputs): Pair[] {
  const { stats, freshness, listing } = report;
  const derived = computeDerivedStats(inputs);
  const age = computeAgeSeconds(parseIsoTime(report.generatedAt), parseIsoTimeOrNull(freshness.probedAt));
  return [
    ['$.freshness.ageSeconds', freshness.ageSeconds, age],
    ['$.listing.firstSeen', listing.firstSeen, stats.firstSeen],
    ['$.stats.windowDays', stats.windowDays, derived.windowDays],
    ['$.stats.envelopes.checked', stats.envelopes.checked, derived.checked],
    ['$.stats.envelopes.valid', stats.envelopes.valid, derived.valid],
    ['$.stats.changes.price', stats.changes.price, derived.price],
    ['$.stats.changes.payTo', stats.changes.payTo, derived.payTo],
    ['$.stats.changes.assetNetwork', stats.changes.assetNetwork, derived.assetNetwork],
    ['$.stats.observedDays', stats.observedDays, derived.observedDays],
  ];
}

/** Returns the age of a probe in whole seconds; never negative, even if a clock is wrong. */
function computeAgeSeconds(generatedAt: number, probedAt: number | null): number | null {
  return probedAt === null ? null : Math.max(0, Math.floor((generatedAt - probedAt) / 1000));
}

function toJsonPath(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(appendToPath, '$');
}
