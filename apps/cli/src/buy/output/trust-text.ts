import { COMPONENTS, type TrustReport } from '@touchstone/contract';
import { formatCount, formatNumber, formatPoints } from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import { formatRows, joinSections, type TextStyle } from '../../terminal/text-style.ts';
import { wrap, wrapAnywhere } from '../../terminal/wrap.ts';
import { describeCurrentFailure } from './failure-text.ts';
import { drawBar } from './sparkline.ts';
import { createTrustRows } from './trust-rows.ts';
import { formatVerdictLine } from './verdict-line.ts';

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

function formatVerdict(report: TrustReport, { paint, width }: TextStyle): string[] {
  const { scoreRange, confidence, projection } = report;
  const range =
    `Score range ${formatPoints(scoreRange.low)} to ${formatPoints(scoreRange.high)}, ` +
    `confidence ${confidence.toFixed(2)}.`;
  const future =
    projection === null
      ? ''
      : ` Score in 30 days if the last 24 hours repeat: ${formatPoints(projection.score)} (${projection.grade}).`;
  const failure = describeCurrentFailure(report);
  return [
    formatVerdictLine(report, paint),
    ...(failure === null ? [] : wrap(failure, '', width).map((line) => paint('red', line))),
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
        : `${paint(toColor(value), drawBar(value, BAR_COLUMNS))} ${formatPoints(subscore).padStart(5)} of 100 · ` +
          `weight ${formatNumber(weight)} · adds ${formatNumber(points)} points`;
    const reason = wrap(toPlainText(explanation), INDENT, width).map((line) => paint('dim', line));
    return [`  ${name.padEnd(11)}${figures}`, ...reason];
  });
  const limits = caps.flatMap(({ rule, limit, explanation }) =>
    wrap(`Score limited to ${formatPoints(limit)} (${rule}): ${toPlainText(explanation)}`, '  ', width),
  );
  return [...lines, ...limits.map((line) => paint('yellow', line))];
}

const EMPTY_BAR = drawBar(0, BAR_COLUMNS);

function toColor(value: number): Color {
  if (value >= 0.8) return 'green';
  return value >= 0.5 ? 'yellow' : 'red';
}

const MARKS = { error: { mark: '✖', color: 'red' }, warning: { mark: '!', color: 'yellow' } } as const;

/** Formats the flags of a report. Flags with the severity `error` come first. */
function formatFlags({ flags }: TrustReport, { paint, width }: TextStyle): string[] {
  const ordered = Object.entries(flags).toSorted(([, a], [, b]) => a.severity.localeCompare(b.severity));
  return ordered.flatMap(([slug, { severity, message, evidence, since }]) => {
    const { mark, color } = MARKS[severity];
    const figures = Object.entries(evidence)
      .map(([name, value]) => `${name} ${value === null ? 'unknown' : toPlainText(String(value), 120)}`)
      .join(', ');
    const date = since === null ? '' : ` (since ${since.slice(0, 10)})`;
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
