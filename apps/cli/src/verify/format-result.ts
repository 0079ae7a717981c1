import { formatCount } from '@touchstone/common';
import type { Recomputed, ReportFault } from '@touchstone/trust';
import { type TextStyle, toPlainJson, toPlainText, wrap } from '../terminal/text.ts';
import { type CheckedReport, type SignatureResult, toExitCode } from './check-report.ts';

/** Verdicts by exit code: 0, 1 and 2. */
export const VERDICTS = ['ok', 'not-ok', 'undetermined'] as const;

/**
 * Formats a checked report as one line of `--json`. A difference has no `said` when the figure is missing in the
 * report, and no `computed` when the report should not contain the figure.
 */
export function formatJson(checked: CheckedReport): string {
  const { location, figures, signature } = checked;
  const report = figures.outcome === 'no-report' ? null : figures.report;
  return toPlainJson({
    place: location,
    verdict: VERDICTS[toExitCode(checked)],
    resource: report?.resource ?? null,
    score: report?.score ?? null,
    scoringVersion: report?.scoringVersion ?? null,
    figures: figures.outcome,
    differences: figures.outcome === 'differs' ? figures.differences : [],
    faults: figures.outcome === 'no-report' ? figures.faults : [],
    signature: signature.outcome,
    keyId: report?.signature?.keyId ?? null,
    keysFrom: findKeySource(signature),
    reason: signature.outcome === 'no-keys' ? signature.reason : null,
  });
}

export function findKeySource(signature: SignatureResult): string | null {
  return 'keysFrom' in signature ? signature.keysFrom : null;
}

/** One finding on a report or a purchase record, as it is printed. */
export interface Finding {
  readonly color: 'green' | 'red' | 'yellow';
  readonly title: string;
  readonly sentence: string;
  readonly details: readonly string[];
}

const INDENT = '    ';
/** Maximum length of a printed value, in UTF-16 units. */
const MAX_VALUE_LENGTH = 200;
const MAX_PATHS = 8;

/**
 * Formats the findings on one report. If reported and recomputed figures differ, the text shows both values of the
 * first such figure.
 */
export function formatCheckedReport(
  { location, figures, signature }: CheckedReport,
  style: TextStyle,
): string {
  const { paint, width } = style;
  const report = figures.outcome === 'no-report' ? null : figures.report;
  const heading = report === null ? 'Not a trust report' : toPlainText(report.resource);
  const summary =
    report === null
      ? []
      : wrap(
          `Report: score ${String(report.score)}, grade ${report.grade}, recommendation ${report.recommendation}, ` +
            `scoring version ${report.scoringVersion}, generated ${report.generatedAt}.`,
          '',
          width,
        );
  const lines = [
    paint('bold', heading) + (location === '' ? '' : `  (${toPlainText(location)})`),
    ...summary,
    ...createFindings({ figures, signature }).flatMap((finding) => formatFinding(finding, style)),
  ];
  return `${lines.join('\n')}\n`;
}

export function createFindings({
  figures,
  signature,
}: Pick<CheckedReport, 'figures' | 'signature'>): Finding[] {
  return [createFiguresFinding(figures), createSignatureFinding(signature)];
}

export function formatFinding(
  { color, title, sentence, details }: Finding,
  { paint, width }: TextStyle,
): string[] {
  return [
    paint(['bold', color], title),
    ...wrap(sentence, INDENT, width),
    ...details.flatMap((line) => wrap(line, INDENT, width)),
  ];
}

function createFiguresFinding(figures: Recomputed): Finding {
  if (figures.outcome === 'agrees') {
    const sentence = 'All computed figures follow, to the last digit, from the raw figures in the report.';
    return { color: 'green', title: 'Figures agree', sentence, details: [] };
  }
  if (figures.outcome === 'other-version') {
    const sentence = `The report uses scoring version ${figures.report.scoringVersion}, and this command supports ${figures.known}.`;
    return { color: 'yellow', title: 'Figures not checked', sentence, details: [] };
  }
  if (figures.outcome === 'no-report') return createFaultsFinding(figures.faults);
  const { first, differences } = figures;
  const others = differences.slice(1, 1 + MAX_PATHS).map(({ path }) => toPlainText(path));
  const rest = differences.length - 1 - others.length;
  return {
    color: 'red',
    title: 'Figures differ',
    sentence: `The first figure that differs is ${toPlainText(first.path)}`,
    details: [
      `reported  ${formatValue(first.said)}`,
      `computed  ${formatValue(first.computed)}`,
      ...(others.length === 0
        ? []
        : [`Also different: ${others.join(', ')}${rest > 0 ? `, and ${formatCount(rest, 'other')}` : ''}`]),
    ],
  };
}

function createFaultsFinding(faults: readonly ReportFault[]): Finding {
  return {
    color: 'yellow',
    title: 'Figures not checked',
    sentence: 'The input does not match the schema of trust reports:',
    details: faults
      .slice(0, MAX_PATHS)
      .map(({ path, message }) => toPlainText(`${path}: ${message}`, MAX_VALUE_LENGTH)),
  };
}

function formatValue(value: unknown): string {
  return value === undefined ? '(missing)' : toPlainText(JSON.stringify(value), MAX_VALUE_LENGTH);
}

/** @param document name of the signed document in the text */
export function createSignatureFinding(signature: SignatureResult, document = 'report'): Finding {
  const [color, title, sentence] = SIGNATURE_FINDINGS[signature.outcome];
  const placeholder =
    signature.outcome === 'no-keys' ? signature.reason : (findKeySource(signature) ?? 'an unknown source');
  const text = sentence.replaceAll('report', document).replace('#', () => placeholder);
  return { color, title, sentence: toPlainText(text, 2_000), details: [] };
}

/**
 * Color, title and sentence for each outcome of the signature check. `#` is replaced by the source of the keys, or by
 * the reason why there are no keys.
 */
const SIGNATURE_FINDINGS = {
  valid: ['green', 'Signature valid', 'Signed by a key of #. The report was not changed since.'],
  forged: ['red', 'Signature forged', 'The report names a key of #, but that key did not sign this content.'],
  'unknown-key': ['red', 'Signature by an unknown key', 'The key that signed the report is not a key of #.'],
  'key-out-of-use': [
    'red',
    'Signature by a key out of use',
    'The date of the report is outside the period in which its key of # was used.',
  ],
  unsigned: [
    'yellow',
    'Not signed',
    'The origin of the report is unknown. A made-up report can have figures that agree, too.',
  ],
  'no-keys': ['yellow', 'Signature not checked', 'There are no keys to check it: #'],
  'no-report': ['yellow', 'Signature not checked', 'The input has no readable signature.'],
  'not-asked': [
    'yellow',
    'Signature skipped',
    'Only the figures were checked, which does not prove the origin of the report.',
  ],
} as const satisfies Record<SignatureResult['outcome'], readonly [Finding['color'], string, string]>;
