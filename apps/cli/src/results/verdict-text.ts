import { formatMinute, formatMs, formatNumber, formatScore, formatUsd } from '@touchstone/common';
import type { Grade, Recommendation, TrustReport } from '@touchstone/contract';
import { type Paint, toPlainText } from '../terminal/text.ts';

type Color = 'green' | 'yellow' | 'red' | 'blue';

export const GRADE_COLORS: Readonly<Record<Grade, Color>> = {
  A: 'green',
  B: 'green',
  C: 'yellow',
  D: 'yellow',
  F: 'red',
  '?': 'blue',
};
export const RECOMMENDATION_COLORS: Readonly<Record<Recommendation, Color>> = {
  proceed: 'green',
  free: 'green',
  caution: 'yellow',
  parameterize: 'yellow',
  unverified: 'yellow',
  avoid: 'red',
};

/**
 * Figures of a verdict. An unknown figure is null. `recommendation` is absent in results that never contain
 * recommendations.
 */
interface Verdict {
  readonly grade: Grade | null;
  readonly score: number | null;
  readonly recommendation?: Recommendation | null;
}

/**
 * Formats a verdict in one line of at most 40 columns: `Grade A   89.0 of 100   PROCEED`, `Ungraded   UNVERIFIED` or
 * `Not scored`. Without a grade, the score has no meaning and is left out.
 */
export function formatVerdictLine({ grade, score, recommendation }: Verdict, paint: Paint): string {
  const parts = [
    ...(grade === null
      ? []
      : [paint(['bold', GRADE_COLORS[grade]], grade === '?' ? 'Ungraded' : `Grade ${grade}`)]),
    ...(grade === '?'
      ? []
      : [score === null ? paint('blue', 'Not scored') : `${paint('bold', formatScore(score))} of 100`]),
    ...(recommendation
      ? [paint(['bold', RECOMMENDATION_COLORS[recommendation]], recommendation.toUpperCase())]
      : []),
  ];
  return parts.join('   ');
}

type LastFailure = TrustReport['lastFailure'];

/** Maximum number of printed causes; `--json` prints all. */
const MAX_CAUSES = 5;

/**
 * Describes the current failure of an endpoint: its start and its cause. Returns null if a probe has succeeded since.
 * Some failures, such as HTTP 403, may concern only the probes of the service, so the text does not state that the
 * endpoint is down.
 */
export function describeCurrentFailure({ lastFailure, stats: { lastUpAt } }: TrustReport): string | null {
  if (lastFailure === null) return null;
  const { at, since, detail } = lastFailure;
  if (lastUpAt !== null && Date.parse(lastUpAt) > Date.parse(at)) return null;
  return `Every probe has failed since ${formatMinute(since)}: ${toPlainText(detail, 300)}`;
}

/** Formats the failures of the last 30 days: the number for each cause, and the latest failure. */
export function formatFailures(lastFailure: LastFailure): string | null {
  if (lastFailure === null) return null;
  const { at, detail, causes30d } = lastFailure;
  const causes = Object.entries(causes30d).toSorted(([, one], [, other]) => other - one);
  const named = causes
    .slice(0, MAX_CAUSES)
    .map(([cause, count]) => `${toPlainText(cause, 60)} ${formatNumber(count)}`);
  const rest = causes.slice(MAX_CAUSES).reduce((sum, [, count]) => sum + count, 0);
  const others = rest === 0 ? [] : [`others ${formatNumber(rest)}`];
  const counts = causes.length === 0 ? '' : `${[...named, ...others].join(', ')} in the last 30 days; `;
  return `${counts}latest ${formatMinute(at)}: ${toPlainText(detail, 300)}`;
}

type Purchase = NonNullable<TrustReport['delivery']>['purchases'][number];

/** Formats a test purchase, such as `2026-06-01 00:00 UTC, $0.01: delivered (HTTP 200, 412 bytes, 820 ms)`. */
export function formatPurchase({ at, amountUsd, outcome, httpStatus, bodyBytes, totalMs }: Purchase): string {
  const response =
    httpStatus === null
      ? 'no response'
      : `HTTP ${String(httpStatus)}, ${bodyBytes === null ? 'incomplete' : `${formatNumber(bodyBytes)} bytes`}, ${formatMs(totalMs ?? 0)}`;
  return `${formatMinute(at)}, ${formatUsd(amountUsd)}: ${outcome} (${response})`;
}

/** Formats what an endpoint delivered for money: its state, the newest test purchase and the reports of buyers. */
export function formatDelivery(delivery: TrustReport['delivery']): string | null {
  if (delivery === null) return null;
  const { state, purchases, buyers } = delivery;
  const [newest] = purchases;
  const parts = [
    ...(state === null ? [] : [state]),
    ...(newest === undefined ? [] : [`test purchase ${formatPurchase(newest)}`]),
    `payers report ${formatNumber(buyers.delivered30d)} delivered, ${formatNumber(buyers.failed30d)} not delivered`,
  ];
  return parts.join('; ');
}
