import type { TrustReport } from '@touchstone/contract';
import { plain } from '../plain.ts';
import { wrap } from '../wrap.ts';
import { numberWords, pointsWords } from './figures.ts';
import { bar } from './spark.ts';
import { rowLines, sectionsText, type TextStyle } from './text-style.ts';
import { trustRows } from './trust-rows.ts';

type Color = 'green' | 'yellow' | 'red' | 'blue';

const GRADE_COLORS: Readonly<Record<TrustReport['grade'], Color>> = {
  A: 'green',
  B: 'green',
  C: 'yellow',
  D: 'yellow',
  F: 'red',
  '?': 'blue',
};
const ADVICE_COLORS: Readonly<Record<TrustReport['recommendation'], Color>> = {
  proceed: 'green',
  free: 'green',
  caution: 'yellow',
  parameterize: 'yellow',
  unverified: 'yellow',
  avoid: 'red',
};
const BAR_COLUMNS = 20;
const INDENT = '    ';
const PROVIDER_WORDS = 300;

/** A trust report for people: the verdict, why, what it was made from, and what to look out for. */
export function trustText(report: TrustReport, style: TextStyle): string {
  return sectionsText([
    headLines(report, style),
    verdictLines(report, style),
    report.reasons.flatMap((reason) => wrap(`• ${plain(reason)}`, '  ', style.width)),
    componentLines(report, style),
    flagLines(report, style),
    rowLines(trustRows(report), style),
  ]);
}

function headLines(
  { resource, serviceName, description }: TrustReport,
  { paint, width }: TextStyle,
): string[] {
  const words = [serviceName, description].flatMap((text) => (text ? [plain(text, PROVIDER_WORDS)] : []));
  const told = words.length === 0 ? [] : wrap(`The provider says: ${words.join(': ')}`, '', width);
  return [paint('bold', plain(resource, 2_000)), ...told.map((line) => paint('dim', line))];
}

function verdictLines(report: TrustReport, { paint, width }: TextStyle): string[] {
  const { grade, score, scoreRange, recommendation, confidence, projection } = report;
  const verdict = [
    paint(['bold', GRADE_COLORS[grade]], `Grade ${grade}`),
    `${paint('bold', pointsWords(score))} of 100`,
    paint(['bold', ADVICE_COLORS[recommendation]], recommendation.toUpperCase()),
  ];
  const sure =
    `The observations allow ${pointsWords(scoreRange.low)} to ${pointsWords(scoreRange.high)}; ` +
    `confidence ${confidence.toFixed(2)}.`;
  const later =
    projection === null
      ? ''
      : ` If today holds, ${pointsWords(projection.score)} (${projection.grade}) in 30 days.`;
  return [verdict.join('   '), ...wrap(sure + later, '', width)];
}

function componentLines({ components, breakdown, caps }: TrustReport, style: TextStyle): string[] {
  const { paint, width } = style;
  const names = ['uptime', 'compliance', 'stability', 'activity', 'age', 'latency'] as const;
  const lines = names.flatMap((name) => {
    const { value, weight, points, explanation } = components[name];
    const shown = breakdown[name];
    const figures =
      value === null || shown === null
        ? `${EMPTY_BAR}    –  not measured`
        : `${paint(colorOf(value), bar(value, BAR_COLUMNS))} ${pointsWords(shown).padStart(5)}  ` +
          `${numberWords(points)} points, weight ${numberWords(weight)}`;
    const why = wrap(plain(explanation), INDENT, width).map((line) => paint('dim', line));
    return [`  ${name.padEnd(11)}${figures}`, ...why];
  });
  const limits = caps.flatMap(({ rule, limit, explanation }) =>
    wrap(`Limited to ${pointsWords(limit)} (${rule}): ${plain(explanation)}`, '  ', width),
  );
  return [...lines, ...limits.map((line) => paint('yellow', line))];
}

const EMPTY_BAR = bar(0, BAR_COLUMNS);

function colorOf(value: number): Color {
  if (value >= 0.8) return 'green';
  return value >= 0.5 ? 'yellow' : 'red';
}

const MARKS = { error: { mark: '✖', color: 'red' }, warning: { mark: '!', color: 'yellow' } } as const;

function flagLines({ flags }: TrustReport, { paint, width }: TextStyle): string[] {
  const ordered = Object.entries(flags).toSorted(([, a], [, b]) => a.severity.localeCompare(b.severity));
  return ordered.flatMap(([slug, { severity, message, evidence, since }]) => {
    const { mark, color } = MARKS[severity];
    const figures = Object.entries(evidence)
      .map(([name, value]) => `${name} ${value === null ? 'unknown' : plain(String(value), 120)}`)
      .join(', ');
    const when = since === null ? '' : ` (since ${since.slice(0, 10)})`;
    return [
      `${paint([color, 'bold'], `${mark} ${slug}`)}${when}`,
      ...wrap(plain(message), INDENT, width),
      ...(figures === '' ? [] : wrap(figures, INDENT, width).map((line) => paint('dim', line))),
    ];
  });
}
