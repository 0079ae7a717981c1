import { trustReportSchema, type TrustReport } from '@touchstone/contract';
import { contradictionsOf } from './contradictions.ts';
import { differencesOf, stepInto, type Difference } from './differences.ts';
import { ageSeconds } from '../report/assemble-report.ts';
import { inputsOf } from '../report/report-inputs.ts';
import { summedStats } from '../report/report-stats.ts';
import { fromMaybeMoment, fromMoment } from '../report/report-values.ts';
import { reportedVerdict } from '../report/report-verdict.ts';
import { score } from '../score.ts';
import type { ScoreInputs } from '../types.ts';
import { SCORING_VERSION } from '../versions.ts';

export type Recomputed =
  /** Every figure is what the formula makes of the others. */
  | { readonly outcome: 'agrees'; readonly report: TrustReport }
  /** In the order of the report, so that the score itself comes first. */
  | {
      readonly outcome: 'differs';
      readonly report: TrustReport;
      readonly first: Difference;
      readonly differences: readonly Difference[];
    }
  /** Made by a version of the formula that is not this one. */
  | { readonly outcome: 'other-version'; readonly report: TrustReport; readonly known: string }
  | { readonly outcome: 'no-report'; readonly faults: readonly Fault[] };

/** Where something is not as the schema of the report has it, and how it should be. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/**
 * Computes a report's figures again, from nothing but the report, and compares: the score and all that explains it, to
 * the last digit, the figures that follow from others, and raw figures that cannot be beside each other. That they agree says that the verdict follows from the raw
 * figures; that those were observed is what the signature is for.
 *
 * @param value anything, such as parsed JSON from a stranger
 */
export function recompute(value: unknown): Recomputed {
  const parsed = trustReportSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: pathOf(path), message }));
    return { outcome: 'no-report', faults };
  }
  const report = parsed.data;
  if (report.scoringVersion !== SCORING_VERSION) {
    return { outcome: 'other-version', report, known: SCORING_VERSION };
  }
  const inputs = inputsOf(report);
  const pairs = [...verdictPairs(report, inputs), ...followingPairs(report, inputs)];
  const differences = [
    ...pairs.flatMap(([path, said, computed]) => differencesOf(path, said, computed)),
    ...contradictionsOf(report),
  ];
  const [first] = differences;
  return first === undefined
    ? { outcome: 'agrees', report }
    : { outcome: 'differs', report, first, differences };
}

type Pair = readonly [path: string, said: unknown, computed: unknown];

/** Everything that the formula makes, in the order of the report. */
function verdictPairs(report: TrustReport, inputs: ScoreInputs): Pair[] {
  const said: Readonly<Record<string, unknown>> = report;
  return Object.entries(reportedVerdict(score(inputs))).map(([name, computed]) => [
    stepInto('$', name),
    said[name],
    computed,
  ]);
}

/** What is said twice, or follows from other figures, and is no input of the formula. */
function followingPairs(report: TrustReport, inputs: ScoreInputs): Pair[] {
  const { stats, freshness, listing } = report;
  const summed = summedStats(inputs);
  const age = ageSeconds(fromMoment(report.generatedAt), fromMaybeMoment(freshness.probedAt));
  return [
    ['$.freshness.ageSeconds', freshness.ageSeconds, age],
    ['$.listing.firstSeen', listing.firstSeen, stats.firstSeen],
    ['$.stats.windowDays', stats.windowDays, summed.windowDays],
    ['$.stats.envelopes.checked', stats.envelopes.checked, summed.checked],
    ['$.stats.envelopes.valid', stats.envelopes.valid, summed.valid],
    ['$.stats.changes.price', stats.changes.price, summed.price],
    ['$.stats.changes.payTo', stats.changes.payTo, summed.payTo],
    ['$.stats.changes.assetNetwork', stats.changes.assetNetwork, summed.assetNetwork],
    ['$.stats.observedDays', stats.observedDays, summed.observedDays],
  ];
}

function pathOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(stepInto, '$');
}
