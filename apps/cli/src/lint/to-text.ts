import type { Challenge, Check } from '@touchstone/x402';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { wrap } from '../wrap.ts';
import { sortChecks, type Judged, type Sorted } from './judged.ts';
import { offerLines } from './offer-lines.ts';

/** How a report is to look. */
export interface TextStyle {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Say what each rule that passed asks for, and list those that did not apply. */
  readonly all: boolean;
}

const GROUPS = [
  { severity: 'error', title: 'Errors', style: 'red' },
  { severity: 'warning', title: 'Warnings', style: 'yellow' },
  { severity: 'info', title: 'Remarks', style: 'blue' },
] as const;

const INDENT = '    ';

/** The report on one answer for people: what it asks, what is wrong and how to mend it, and the counts. */
export function toText(judged: Judged, style: TextStyle): string {
  const { paint, width, all } = style;
  const sorted = sortChecks(judged.challenge.checks);
  const sections = [
    [
      paint('bold', plain(judged.url)),
      ...wrap(answerLine(judged), '', width),
      ...refusals(judged.challenge).flatMap((line) => wrap(line, '  ', width)),
      ...judged.notes.flatMap((note) => wrap(plain(note), '', width)),
    ],
    offerLines(judged.challenge.options, width),
    ...GROUPS.map((group) => failedLines(sorted[group.severity], group, style)),
    ...(all ? [passedLines(sorted.passed, style)] : [passedIds(sorted.passed, style)]),
    ...(all ? [skippedLines(sorted.skipped, style)] : []),
    [paint('bold', countsLine(judged.challenge, sorted))],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function answerLine(judged: Judged): string {
  const { method, status, silence, retryAfter, challenge } = judged;
  const asked = method === null ? 'A request' : plain(method);
  if (challenge.verdict === 'undetermined') {
    const later = retryAfter === null ? '' : ` (Retry-After: ${plain(retryAfter, 60)})`;
    return `${asked} could not be judged: it was answered ${String(status)}${later}.`;
  }
  const answered =
    status === null
      ? `${asked} got no answer: ${plain(silence ?? 'unknown')}.`
      : `${asked} was answered ${String(status)}, ${versionWords(challenge)}.`;
  return `${answered} ${payableWords(challenge)}`;
}

function versionWords({ version, source }: Challenge): string {
  return version === null
    ? 'with no terms of payment'
    : `with terms of version ${version} in the ${source ?? ''}`;
}

function payableWords({ payable: { v1, v2 }, checks }: Challenge): string {
  if (!v1 && !v2) return 'No client would sign a payment for this.';
  const doubt = sortChecks(checks).error.some(({ axis }) => axis === 'payable')
    ? ' But with the errors below the payment may fail or be lost.'
    : '';
  return `${signWords(v1, v2)}${doubt}`;
}

function signWords(v1: boolean, v2: boolean): string {
  if (v1 && v2) return 'Clients of both versions would sign a payment for this.';
  return v2
    ? 'Version 2 clients would sign a payment for this. Version 1 clients would not.'
    : 'Version 1 clients would sign a payment for this. Version 2 clients would not.';
}

/** Why a version cannot be paid; of version 1 only where it was tried, or where nobody can pay. */
function refusals({ version, payable, verdict, refusals: { v1, v2 } }: Challenge): string[] {
  if (verdict === 'undetermined') return [];
  const told = version === 1 || !payable.v2 ? v1 : null;
  if (v2 !== null && v2 === told) return [plain(v2)];
  return [
    ...(v2 === null ? [] : [`Version 2: ${plain(v2)}`]),
    ...(told === null ? [] : [`Version 1: ${plain(told)}`]),
  ];
}

function failedLines(checks: readonly Check[], group: (typeof GROUPS)[number], style: TextStyle): string[] {
  const { paint, width } = style;
  return checks.flatMap((check, index) => [
    ...(index === 0 ? [paint(['bold', group.style], group.title)] : ['']),
    `  ${paint(group.style, check.id)}${check.axis === 'discoverable' ? ' (for directories)' : ''}`,
    ...wrap(plain(check.message), INDENT, width),
    ...wrap(`Fix: ${plain(check.fix)}`, INDENT, width),
    ...wrap(`See: ${plain(check.reference)}`, INDENT, width).map((line) => paint('dim', line)),
  ]);
}

function passedIds(checks: readonly Check[], { paint, width }: TextStyle): string[] {
  if (checks.length === 0) return [];
  const ids = checks.map(({ id }) => id).join(', ');
  return [paint(['bold', 'green'], 'Passed'), ...wrap(ids, '  ', width).map((line) => paint('green', line))];
}

function passedLines(checks: readonly Check[], { paint, width }: TextStyle): string[] {
  if (checks.length === 0) return [];
  return [
    paint(['bold', 'green'], 'Passed'),
    ...checks.flatMap(({ id, message }) => [
      `  ${paint('green', id)}`,
      ...wrap(plain(message), INDENT, width),
    ]),
  ];
}

function skippedLines(checks: readonly Check[], { paint, width }: TextStyle): string[] {
  if (checks.length === 0) return [];
  const ids = checks.map(({ id }) => id).join(', ');
  return [paint('bold', 'Did not apply'), ...wrap(ids, '  ', width)];
}

/** The verdict in words with the counts beside it, which alone would not explain an exit code of 1. */
function countsLine(challenge: Challenge, { error, warning, info, passed, skipped }: Sorted): string {
  const counts = [
    counted(error.length, 'error'),
    counted(warning.length, 'warning'),
    ...(info.length === 0 ? [] : [counted(info.length, 'remark')]),
    `${String(passed.length)} passed`,
    `${String(skipped.length)} did not apply`,
  ];
  return `${verdictWords(challenge, error.length, warning.length)}: ${counts.join(', ')}`;
}

function verdictWords({ verdict }: Challenge, errors: number, warnings: number): string {
  if (verdict === 'undetermined') return 'Not judged';
  if (verdict === 'unpayable') return 'Unpayable';
  if (errors > 0) return 'Payable with errors';
  return warnings > 0 ? 'Payable with warnings' : 'Payable';
}

/** A number with its noun. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
