import {
  formatConfidence,
  formatCount,
  formatDay,
  formatMinute,
  formatMs,
  formatNumber,
  formatPercent,
  formatScore,
  formatUsd,
} from '@touchstone/common';
import { COMPONENTS, formatProbeCounts, type TrustReport } from '@touchstone/contract';
import {
  formatRows,
  joinSections,
  type Row,
  type TextStyle,
  toPlainText,
  wrap,
  wrapAnywhere,
} from '../terminal/text.ts';
import { describeCurrentFailure, formatDelivery, formatFailures, formatVerdictLine } from './verdict-text.ts';

type Color = 'green' | 'yellow' | 'red';

const BAR_COLUMNS = 20;
const INDENT = '    ';
/** Maximum printed length of the name and description that the provider wrote, in UTF-16 units. */
const MAX_PROVIDER_TEXT_LENGTH = 300;
/** Maximum number of printed failed checks; `--json` prints all. */
const MAX_CHECKS = 5;

/** Formats a trust report: verdict, current failure, reasons, components of the score, flags, failed checks and facts. */
export function formatTrustReport(report: TrustReport, style: TextStyle): string {
  return joinSections([
    formatHeading(report, style),
    formatVerdict(report, style),
    report.reasons.flatMap((reason) => wrap(`• ${toPlainText(reason)}`, '  ', style.width)),
    formatComponents(report, style),
    formatFlags(report, style),
    formatFailedChecks(report, style),
    formatRows(createTrustRows(report), style),
  ]);
}

function formatHeading(
  { resource, serviceName, description }: TrustReport,
  { paint, width }: TextStyle,
): string[] {
  const texts = [serviceName, description].flatMap((text) =>
    text ? [toPlainText(text, MAX_PROVIDER_TEXT_LENGTH)] : [],
  );
  const lines =
    texts.length === 0 ? [] : wrapAnywhere(`Provider (unverified): ${texts.join(': ')}`, '', width);
  return [paint('bold', toPlainText(resource, 2_000)), ...lines.map((line) => paint('dim', line))];
}

function formatVerdict(report: TrustReport, style: TextStyle): string[] {
  const { paint, width } = style;
  const { grade, scoreRange, confidence, projection, freshness } = report;
  const range =
    (grade === '?'
      ? 'No score, '
      : `Score range ${formatScore(scoreRange.low)} to ${formatScore(scoreRange.high)}, `) +
    `confidence ${formatConfidence(confidence)}${formatRelatedConfidence(report)}.`;
  const future =
    projection === null
      ? ''
      : ` Score in 30 days if the last 24 hours repeat: ${formatScore(projection.score)} (${projection.grade}).`;
  const failure = describeCurrentFailure(report);
  return [
    formatVerdictLine(report, paint),
    ...(failure === null ? [] : wrap(failure, '', width).map((line) => paint('red', line))),
    ...wrap(`Live probe: ${toPlainText(freshness.detail, 2_000)}`, '', width).map((line) =>
      paint(freshness.confirms === false ? 'yellow' : 'dim', line),
    ),
    ...wrap(range + future, '', width),
  ];
}

function formatComponents({ components, breakdown, caps }: TrustReport, style: TextStyle): string[] {
  const { paint, width } = style;
  const lines = COMPONENTS.flatMap((name) => {
    const { value, weight, points, explanation } = components[name];
    const subscore = breakdown[name];
    const figures =
      value === null || subscore === null
        ? `${EMPTY_BAR}    –  not measured`
        : `${paint(toColor(value), drawBar(value, BAR_COLUMNS))} ${formatScore(subscore).padStart(5)} of 100 · ` +
          `weight ${formatNumber(weight)} · adds ${formatNumber(points)} points`;
    const reason = wrap(toPlainText(explanation), INDENT, width).map((line) => paint('dim', line));
    return [`  ${name.padEnd(11)}${figures}`, ...reason];
  });
  const limits = caps.flatMap(({ rule, limit, explanation }) =>
    wrap(`Score at most ${formatScore(limit)} (${rule}): ${toPlainText(explanation)}`, '  ', width),
  );
  return [...lines, ...limits.map((line) => paint('yellow', line))];
}

const FULL = '█';
const EMPTY = '░';

/** Draws a horizontal bar for a share from 0 to 1. */
function drawBar(share: number, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return FULL.repeat(filled) + EMPTY.repeat(columns - filled);
}

const EMPTY_BAR = drawBar(0, BAR_COLUMNS);

function toColor(value: number): Color {
  if (value >= 0.8) return 'green';
  return value >= 0.5 ? 'yellow' : 'red';
}

const MARKS = { error: { mark: '✖', color: 'red' }, warning: { mark: '!', color: 'yellow' } } as const;

function formatFlags({ flags }: TrustReport, { paint, width }: TextStyle): string[] {
  const ordered = Object.entries(flags).toSorted(([, a], [, b]) => a.severity.localeCompare(b.severity));
  return ordered.flatMap(([slug, { severity, message, evidence, since }]) => {
    const { mark, color } = MARKS[severity];
    const figures = Object.entries(evidence)
      .map(([name, value]) => `${name} ${value === null ? 'unknown' : toPlainText(String(value), 120)}`)
      .join(', ');
    const date = since === null ? '' : ` (since ${formatDay(since)})`;
    return [
      `${paint([color, 'bold'], `${mark} ${slug}`)}${date}`,
      ...wrap(toPlainText(message), INDENT, width),
      ...(figures === '' ? [] : wrap(figures, INDENT, width).map((line) => paint('dim', line))),
    ];
  });
}

/** Formats the failed compliance checks with the severity `error` or `warning`. Errors come first. */
function formatFailedChecks({ compliance }: TrustReport, { paint, width }: TextStyle): string[] {
  const failed = (compliance?.failed ?? [])
    .flatMap(({ severity, ...check }) => (severity === 'info' ? [] : [{ ...check, severity }]))
    .toSorted((one, other) => one.severity.localeCompare(other.severity));
  const lines = failed.slice(0, MAX_CHECKS).flatMap(({ id, severity, message }) => {
    const { mark, color } = MARKS[severity];
    return [paint([color, 'bold'], `${mark} check ${id}`), ...wrap(toPlainText(message), INDENT, width)];
  });
  const omitted = failed.length - MAX_CHECKS;
  return omitted > 0 ? [...lines, paint('dim', `  ${formatCount(omitted, 'other failed check')}`)] : lines;
}

/** Creates the rows of a printed trust report, such as price and uptime. Facts without a value get no row. */
function createTrustRows(report: TrustReport): Row[] {
  return [
    ...createRow('Price', formatPrice(report)),
    ...createRow('Settled', formatSettlement(report)),
    ...createRow('Delivery', formatDelivery(report.delivery)),
    ...createRow('Probes', formatProbes(report)),
    ...createRow('Failures', formatFailures(report.lastFailure)),
    ...createRow('Latency', formatLatency(report)),
    ...createRow('Protocol', formatCompliance(report)),
    ['Listing', formatListing(report)],
    ...createRow('Related', formatRelated(report)),
    ['Generated', formatFreshness(report)],
    ['Page', toPlainText(report.endpointPage, 2_048)],
  ];
}

function createRow(label: string, value: string | null): Row[] {
  return value === null ? [] : [[label, value]];
}

function formatPrice({ advertised, stats }: TrustReport): string | null {
  if (advertised === null) return null;
  const { amountUsd, amount, network, payTo, amountRange30d, options } = advertised;
  const price =
    amountUsd === null
      ? `${amount ?? 'an unknown number of'} atomic units of an unknown token`
      : formatUsd(amountUsd);
  const range =
    amountRange30d === null || amountRange30d.lowUsd === amountRange30d.highUsd
      ? ''
      : `; ${formatUsd(amountRange30d.lowUsd)} to ${formatUsd(amountRange30d.highUsd)} in the last 30 days`;
  const receiver = payTo === null ? '' : ` to ${toPlainText(payTo, 100)}${formatVariation(stats)}`;
  const others = options.length > 1 ? `; ${formatCount(options.length - 1, 'other payment option')}` : '';
  return `${price} on ${toPlainText(network, 60)}${receiver}${range}${others}`;
}

/** Formats the number of payTo addresses of an endpoint with a varying payTo; an empty text for other endpoints. */
function formatVariation({ payToVaries, payToDistinct30d }: TrustReport['stats']): string {
  if (!payToVaries) return '';
  const number =
    payToDistinct30d === null ? '' : `: ${formatNumber(payToDistinct30d)} seen in the last 30 days`;
  return ` (the payTo address varies${number})`;
}

function formatSettlement({ settlement }: TrustReport): string | null {
  if (settlement === null) return null;
  const { volumeUsd30d, returnedUsd30d, settlements30d, payers30d, repeatPayers30d } = settlement;
  const { topPayerShare, lastSettledAt } = settlement;
  if (volumeUsd30d === null) return 'not measured: the chain was not read';
  const last = lastSettledAt === null ? '' : `; last at ${formatMinute(lastSettledAt)}`;
  const isReturned = Number(returnedUsd30d ?? 0) > 0;
  const kept = isReturned ? ' kept' : '';
  const returned = isReturned ? `; ${formatUsd(returnedUsd30d ?? '')} sent back to payers` : '';
  if (payers30d === 0 || settlements30d === 0) return `nothing${kept} in the last 30 days${returned}${last}`;
  const count =
    settlements30d === null || isReturned ? '' : ` in ${formatCount(settlements30d, 'settlement')}`;
  const repeat = repeatPayers30d === null ? '' : ` (${repeatPayers30d} on several days)`;
  const payers = payers30d === null ? '' : ` from ${formatCount(payers30d, 'payer')}${repeat}`;
  const top =
    topPayerShare === null || payers30d === 1 ? '' : `; largest payer ${formatPercent(topPayerShare)}`;
  return `${formatUsd(volumeUsd30d)}${kept}${count}${payers} in the last 30 days${returned}${top}${last}`;
}

function formatProbes({ stats }: TrustReport): string | null {
  const { probes30d, scoredProbes30d, up30d, windowDays, observedDays, firstSeen } = stats;
  if (probes30d === 0) return 'none yet';
  const period =
    observedDays < windowDays ? `since ${formatDay(firstSeen)}` : `last ${formatCount(windowDays, 'day')}`;
  const up =
    scoredProbes30d === 0
      ? ''
      : `; ${formatNumber(up30d)} succeeded (${formatPercent(up30d / scoredProbes30d)})`;
  return `${period}: ${formatProbeCounts(stats)}${up}`;
}

function formatLatency({ stats: { latency, avgLatencyMs, firstByte } }: TrustReport): string | null {
  if (latency === null) return null;
  const { p50, p95, maxErrorPercent, vantage } = latency;
  const average = avgLatencyMs === null ? '' : `average ${formatMs(avgLatencyMs)}, `;
  const first = firstByte === null ? '' : `; first byte: median ${formatMs(firstByte.p50)}`;
  return (
    `whole response: ${average}median ${formatMs(p50)}, 95th percentile ${formatMs(p95)}, ` +
    `error at most ${formatNumber(maxErrorPercent)} %, measured from ${toPlainText(vantage, 60)}${first}`
  );
}

function formatCompliance({ compliance }: TrustReport): string | null {
  if (compliance === null) return null;
  const { version, payable, failed, passed, observedAt } = compliance;
  const protocol = version === null ? 'no readable payment terms' : `x402 version ${version}`;
  const discoveryCount = failed.filter(
    ({ axis, severity }) => axis === 'discoverable' && severity !== 'info',
  ).length;
  const countFailed = (severity: 'error' | 'warning'): number =>
    failed.filter((check) => check.axis !== 'discoverable' && check.severity === severity).length;
  const discovery = discoveryCount === 0 ? '' : `, ${formatNumber(discoveryCount)} about discovery`;
  const checks =
    `${formatCount(countFailed('error'), 'error')} and ${formatCount(countFailed('warning'), 'warning')} ` +
    `about payment${discovery}, in ${formatCount(failed.length + passed.length, 'check')}`;
  const challenge = `the challenge of ${formatMinute(observedAt)} was ${payable ? 'payable' : 'not payable'}`;
  return `${protocol}, ${challenge}, ${checks}`;
}

function formatListing({ listing, templated }: TrustReport): string {
  const { status, source, firstSeen, delistedAt } = listing;
  const since = delistedAt === null ? '' : ` since ${formatDay(delistedAt)}`;
  const state = source === 'adopted' ? 'no directory lists it; added by a paid report' : `${status}${since}`;
  const template = templated ? '; replace the placeholders in the URL before paying' : '';
  return `${state}, first seen ${formatDay(firstSeen)}${template}`;
}

/** Formats the confidence of the related endpoint if it is higher than that of the endpoint itself. */
function formatRelatedConfidence({ confidence, related }: TrustReport): string {
  if (related === null || related.confidence <= confidence) return '';
  return ` (${formatConfidence(related.confidence)} for ${toPlainText(related.resource, 2_000)})`;
}

function formatRelated({ related }: TrustReport): string | null {
  if (related === null) return null;
  const { resource, grade, score, recommendation, confidence, endpointPage } = related;
  return (
    `${toPlainText(resource, 2_000)} differs only by query or template; grade ${grade}, ` +
    `${formatScore(score)} of 100, ${recommendation}, confidence ${formatConfidence(confidence)}; ` +
    toPlainText(endpointPage, 2_048)
  );
}

function formatFreshness({ generatedAt, scoringVersion, freshness }: TrustReport): string {
  const { live, liveProbeMs, probedAt } = freshness;
  const duration = liveProbeMs === null ? '' : ` in ${formatMs(liveProbeMs)}`;
  const lastProbe = probedAt === null ? '' : `, last probed ${formatMinute(probedAt)}`;
  const probe = live ? `probed live${duration}` : `not probed live${lastProbe}`;
  return `${formatMinute(generatedAt)}, ${probe}, scoring version ${scoringVersion}`;
}
