import { createHeadline } from '@touchstone/check';
import { formatCount, formatDecimal, formatUsd } from '@touchstone/common';
import {
  describeClientSettings,
  joinSettings,
  STACKS,
  type Challenge,
  type Check,
  type PaymentOption,
  type Stack,
} from '@touchstone/x402';
import { joinSections, type TextStyle, toPlainLines, toPlainText, wrap } from '../terminal/text.ts';
import { createLintCode } from './format-json.ts';
import { groupChecks, type GroupedChecks, type LintResult } from './lint-result.ts';

/** Appearance of a lint report. */
interface LintTextStyle extends TextStyle {
  /** True to also print the requirement of each passed rule, and the rules that did not apply. */
  readonly all: boolean;
  /** Stack of the repaired route; true for the stack that the headers name, undefined for no code. */
  readonly code: Stack | true | undefined;
}

const GROUPS = [
  { severity: 'error', title: 'Errors', color: 'red' },
  { severity: 'warning', title: 'Warnings', color: 'yellow' },
  { severity: 'info', title: 'Remarks', color: 'blue' },
] as const;

const INDENT = '    ';

export function formatLintResult(result: LintResult, style: LintTextStyle): string {
  const { paint, width, all } = style;
  const { challenge } = result;
  const groups = groupChecks(challenge.checks);
  return joinSections([
    [paint('bold', toPlainText(result.url)), ...formatHeadline(result, style)],
    [
      ...wrap(formatResponse(result), '', width),
      ...listObstacles(challenge).flatMap((line) => wrap(line, '  ', width)),
      ...listNotes(result).flatMap((note) => wrap(toPlainText(note), '', width)),
    ],
    formatOptions(challenge.options, width, listDifferences(challenge.checks).length > 0),
    ...GROUPS.map((group) => formatFailed(groups[group.severity], group, style)),
    formatPassed(groups.passed, style),
    ...(all ? [formatSkipped(groups.skipped, style)] : []),
    ...(style.code === undefined ? [] : [formatCode(result, style.code, style)]),
    [paint('bold', formatCounts(challenge, groups))],
  ]);
}

/** Formats what agents do, and what the seller should do first, with the texts of the check page. */
function formatHeadline(result: LintResult, { paint, width }: LintTextStyle): string[] {
  const { outcome, text, step } = createHeadline(result);
  const color = outcome === 'pays' ? 'green' : outcome === 'refused' || outcome === 'lost' ? 'red' : 'yellow';
  return [
    ...wrap(toPlainText(text), '', width).map((line) => paint(color, line)),
    ...(step === null ? [] : wrap(`First: ${toPlainText(step)}`, '', width)),
  ];
}

function formatCode(result: LintResult, stack: Stack | true, { paint, width }: LintTextStyle): string[] {
  const code = createLintCode(result, stack);
  if (code === null)
    return wrap(
      'There is no code: it would repair nothing, or no server library serves these terms.',
      '',
      width,
    );
  return [
    paint('bold', `Code for ${STACKS[code.stack]}`),
    ...wrap(`Repairs ${code.repairs.join(', ')}.`, '', width),
    '',
    // The code quotes text of the endpoint. Line ends are part of the code.
    ...toPlainLines(code.text).split('\n'),
  ];
}

/** Returns the notes without the one that is the first step. */
const listNotes = (result: LintResult): readonly string[] =>
  result.notes.filter((note) => note !== createHeadline(result).step);

function formatResponse(result: LintResult): string {
  const { method, status, failureReason, retryAfter, challenge } = result;
  const request = method === null ? 'The request' : toPlainText(method);
  if (challenge.verdict === 'undetermined') {
    const pause = retryAfter === null ? '' : ` (Retry-After: ${toPlainText(retryAfter, 60)})`;
    return `${request} returned ${String(status)}${pause}, which does not show if ${status === 402 ? 'a client can pay' : 'the endpoint requires payment'}.`;
  }
  const response =
    status === null
      ? `${request} got no response: ${toPlainText(failureReason ?? 'unknown')}.`
      : `${request} returned ${String(status)} ${formatVersion(challenge)}.`;
  return `${response} ${formatPayable(challenge)}`;
}

function formatVersion({ version, source, payable }: Challenge): string {
  if (version === null)
    return payable.v1 ? 'with payment terms of no valid x402 version' : 'without payment terms';
  return `with x402 version ${version} payment terms in the ${source ?? ''}`;
}

/** Names the x402 versions whose clients would sign a payment, and states if the payment would settle. */
function formatPayable(challenge: Challenge): string {
  const { payable, settles, neededSettings, checks } = challenge;
  if (!payable.v1 && !payable.v2) return 'The reference clients would not sign a payment.';
  const signed = formatClients(challenge);
  if (!settles.v1 && !settles.v2) return `${signed} The signed payment would fail or be lost.`;
  if (settles.v1 !== payable.v1 || settles.v2 !== payable.v2)
    return `${signed} Only the payment of version ${settles.v1 ? '1' : '2'} clients would settle.`;
  const doubt = groupChecks(checks).error.some(({ axis }) => axis === 'payable')
    ? ' Because of the errors below, other clients or facilitators may reject the payment.'
    : '';
  const subject = neededSettings.length > 0 ? 'Nothing in the response then' : 'Nothing in the response';
  const differences = listDifferences(checks);
  return differences.length > 0
    ? `${signed} Clients of version 1 and of version 2 would pay ${differences.join(' and ')}.`
    : `${signed} ${subject} prevents its settlement.${doubt}`;
}

/** Lists what clients of the two versions would pay differently. */
function listDifferences(checks: readonly Check[]): string[] {
  const hasFailed = (name: string): boolean =>
    checks.some(({ id, result }) => id === name && result === 'fail');
  return [
    ...(hasFailed('dual-amount') ? ['different amounts'] : []),
    ...(hasFailed('dual-payto') ? ['different addresses'] : []),
  ];
}

/** Returns true if clients that use fetch of Node.js close the connection before they read the challenge. */
function hasInterimResponse(checks: readonly Check[]): boolean {
  return checks.some(({ id, result }) => id === 'http-interim-response' && result === 'fail');
}

function formatClients({ payable, clientSettings, neededSettings, checks }: Challenge): string {
  const signsByDefault = {
    v1: payable.v1 && clientSettings.v1.length === 0,
    v2: payable.v2 && clientSettings.v2.length === 0,
  };
  if (!signsByDefault.v1 && !signsByDefault.v2) {
    return neededSettings.length > 0
      ? toPlainText(describeClientSettings(neededSettings))
      : 'The reference clients would not sign a payment with their default settings.';
  }
  const sign = hasInterimResponse(checks)
    ? 'that use axios would sign this payment; clients that use fetch of Node.js would not.'
    : 'would sign this payment.';
  if (signsByDefault.v1 && signsByDefault.v2) return `Clients of both x402 versions ${sign}`;
  const [signing, other] = signsByDefault.v2 ? [2, 1] : [1, 2];
  const needed = other === 1 ? clientSettings.v1 : clientSettings.v2;
  const condition =
    needed.length === 0 ? '' : ` unless the buyer changes their settings: ${joinSettings(needed)}`;
  return `Version ${signing} clients ${sign} Version ${other} clients would not${toPlainText(condition)}.`;
}

/**
 * Lists the reasons why clients of x402 version 2 and of version 1 cannot pay: they would not sign, or the signed
 * payment would fail or be lost. The reason why version 1 clients would not sign is included in two cases: the payment
 * terms have version 1, or version 2 clients would also not sign.
 */
function listObstacles(challenge: Challenge): string[] {
  const { version, payable, verdict, refusals, settlementFailures } = challenge;
  if (verdict === 'undetermined') return [];
  const v2 = refusals.v2 ?? settlementFailures.v2;
  const isV1Shown = version === 1 || !payable.v2;
  const v1 = settlementFailures.v1 ?? (isV1Shown ? refusals.v1 : null);
  if (v2 !== null && v2 === v1) return [toPlainText(v2)];
  return [
    ...(v2 === null ? [] : [`Version 2: ${toPlainText(v2)}`]),
    ...(v1 === null ? [] : [`Version 1: ${toPlainText(v1)}`]),
  ];
}

function formatFailed(
  checks: readonly Check[],
  group: (typeof GROUPS)[number],
  { paint, width }: LintTextStyle,
): string[] {
  return checks.flatMap((check, index) => [
    ...(index === 0 ? [paint(['bold', group.color], group.title)] : ['']),
    `  ${paint(group.color, check.id)}${check.axis === 'discoverable' ? ' (for directories)' : ''}`,
    ...wrap(toPlainText(check.message), INDENT, width),
    ...wrap(`Fix: ${toPlainText(check.fix)}`, INDENT, width),
    ...wrap(`See: ${toPlainText(check.reference)}`, INDENT, width).map((line) => paint('dim', line)),
  ]);
}

/** Formats the ids of the passed rules; with `all`, also the requirement of each rule. */
function formatPassed(checks: readonly Check[], { paint, width, all }: LintTextStyle): string[] {
  if (checks.length === 0) return [];
  const lines = all
    ? checks.flatMap(({ id, message }) => [
        `  ${paint('green', id)}`,
        ...wrap(toPlainText(message), INDENT, width),
      ])
    : wrap(checks.map(({ id }) => id).join(', '), '  ', width).map((line) => paint('green', line));
  return [paint(['bold', 'green'], 'Passed'), ...lines];
}

function formatSkipped(checks: readonly Check[], { paint, width }: LintTextStyle): string[] {
  if (checks.length === 0) return [];
  const ids = checks.map(({ id }) => id).join(', ');
  const reasons = checks.flatMap(({ id, skipReason }) =>
    skipReason === undefined ? [] : wrap(`${id}: ${toPlainText(skipReason)}`, '  ', width),
  );
  return [paint('bold', 'Did not apply'), ...wrap(ids, '  ', width), ...reasons];
}

/**
 * Formats the verdict and the counts. An unpayable response can have no errors, so counts alone would not explain exit
 * code 1.
 */
function formatCounts(
  challenge: Challenge,
  { error, warning, info, passed, skipped }: GroupedChecks,
): string {
  const counts = [
    formatCount(error.length, 'error'),
    formatCount(warning.length, 'warning'),
    ...(info.length === 0 ? [] : [formatCount(info.length, 'remark')]),
    `${String(passed.length)} passed`,
    `${String(skipped.length)} did not apply`,
  ];
  return `${formatVerdict(challenge, error.length, warning.length)}: ${counts.join(', ')}`;
}

function formatVerdict({ verdict, neededSettings }: Challenge, errors: number, warnings: number): string {
  if (verdict === 'undetermined') return 'Undetermined';
  if (verdict === 'unpayable') return 'Unpayable';
  if (errors > 0) return 'Payable with errors';
  if (neededSettings.length > 0) return 'Payable with other settings';
  return warnings > 0 ? 'Payable with warnings' : 'Payable';
}

const MAX_OPTIONS = 5;
/** Maximum length of a network id, an asset or an address, in UTF-16 units. */
const MAX_ID_LENGTH = 100;

/**
 * Formats the payment options of a challenge: price, network and receiving address of each.
 *
 * @param isOnlyHeader true if the body requests another price or receiving address than the options
 */
export function formatOptions(
  options: readonly PaymentOption[],
  width: number,
  isOnlyHeader = false,
): string[] {
  const lines = options.slice(0, MAX_OPTIONS).flatMap((option, index) => {
    const label = index === 0 ? (isOnlyHeader ? 'Price in the header:' : 'Price:') : 'or';
    const price = `${label} ${formatPrice(option)} on ${toPlainText(option.network, MAX_ID_LENGTH)}`;
    const payTo = toPlainText(option.payTo, MAX_ID_LENGTH) || 'an empty address';
    return [...wrap(price, '', width), ...wrap(`to ${payTo}`, '  ', width)];
  });
  const rest = options.length - MAX_OPTIONS;
  return rest > 0 ? [...lines, `and ${String(rest)} more`] : lines;
}

function formatPrice({ amount, decimals, asset, assetSymbol, amountUsd, falseUsdc }: PaymentOption): string {
  const token = toPlainText(asset, MAX_ID_LENGTH) || 'an unnamed asset';
  if (amount === null) return `no valid amount of ${token}`;
  if (decimals === null || assetSymbol === null) {
    const warning = falseUsdc ? ', which claims to be USDC but is not,' : '';
    return `${String(amount)} atomic units of ${token}${warning}`;
  }
  const usd = amountUsd === null ? '' : ` (${formatUsd(amountUsd)})`;
  return `${formatDecimal({ digits: amount, scale: decimals })} ${assetSymbol}${usd}`;
}
