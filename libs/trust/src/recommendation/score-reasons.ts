import { describeOutage } from '../cause-texts.ts';
import type { Cap, ComponentScore, Flag, ScoreInputs } from '../types.ts';

/** Inputs of the sentences about a score. `score` is the published, rounded value. */
interface ScoreFacts {
  readonly inputs: ScoreInputs;
  readonly score: number;
  readonly components: readonly ComponentScore[];
  readonly caps: readonly Cap[];
}

/** Maximum number of components that a reason names. */
const MAX_NAMED = 2;

/** Minimum number of points that a component must cost to be named. */
const MIN_LOSS = 1;

/** Flags whose reason describes the current outage. */
const OUTAGE_FLAGS: ReadonlySet<string> = new Set(['down-now', 'not-payable-now']);

/**
 * Explains a low score by its causes: the cap that limits the score, the current outage, or the two components that
 * cost the most points.
 *
 * @param threshold minimum score that the endpoint missed
 * @param named flags whose reasons precede this sentence; it does not repeat their causes
 */
export function explainLowScore(facts: ScoreFacts, threshold: number, named: readonly Flag[]): string {
  const start = `Score ${facts.score.toFixed(1)} of 100, below ${String(threshold)}:`;
  const cap = findDecisiveCap(facts);
  if (cap !== undefined && named.some(({ slug }) => slug === cap.rule))
    return `${start} limited to ${String(cap.limit)} by the rule ${cap.rule}.`;
  const isOutageNamed = named.some(({ slug }) => OUTAGE_FLAGS.has(slug));
  const outage = isOutageNamed ? null : describeOutage(facts.inputs);
  if (outage !== null) return `${start} ${outage}.`;
  const causes = cap === undefined ? explainLosses(facts) : [cap.explanation];
  return `${start} ${causes.join(' ')}`;
}

/** Explains a score that is high enough to proceed by the measured uptime. */
export function explainGoodScore({ score, components }: ScoreFacts): string {
  const uptime = components.find(({ component }) => component === 'uptime');
  const measured = uptime === undefined || uptime.value === null ? '' : ` ${uptime.explanation}`;
  return `Score ${score.toFixed(1)} of 100, and no flag advises against paying.${measured}`;
}

/** Returns the cap with the smallest limit if the score reaches this limit. */
function findDecisiveCap({ caps, score }: ScoreFacts): Cap | undefined {
  const limit = Math.min(...caps.map((cap) => cap.limit));
  return caps.find((cap) => cap.limit === limit && score >= limit);
}

/** Returns the explanations of the components that cost the most points, at most two. */
function explainLosses({ components }: ScoreFacts): string[] {
  const measured = components.filter(({ value }) => value !== null);
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  return measured
    .map(({ weight, value, explanation }) => ({
      loss: (100 * weight * (1 - (value ?? 1))) / total,
      explanation,
    }))
    .filter(({ loss }) => loss >= MIN_LOSS)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, MAX_NAMED)
    .map(({ explanation }) => explanation);
}
