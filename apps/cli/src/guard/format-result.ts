import { formatConfidence, formatCount, formatMinute, formatScore, formatUsd } from '@touchstone/common';
import type { Action, Reason } from '@touchstone/guard';
import { describeClientSettings } from '@touchstone/x402';
import { formatOptions } from '../lint/format-result.ts';
import { quote } from '../service/service-options.ts';
import {
  formatRows,
  joinSections,
  type Row,
  type TextStyle,
  toPlainJson,
  toPlainText,
  wrap,
} from '../terminal/text.ts';
import type { GuardResult, OptionDecision, ServiceSummary } from './check-endpoint.ts';

/** Formats the result as one line of `--json`. Without a decision, `action` is null, and `problem` explains why. */
export function formatJson({
  url,
  response,
  options,
  obstacle,
  action,
  problem,
  statement,
}: GuardResult): string {
  return toPlainJson({
    url,
    method: response?.method ?? null,
    status: response?.status ?? null,
    action,
    problem,
    obstacle,
    neededSettings: response?.challenge.neededSettings ?? [],
    notes: response?.notes ?? [],
    options: options.map(({ option, decision }) => ({
      scheme: option.scheme,
      network: option.network,
      asset: option.asset,
      amount: option.amount?.toString() ?? null,
      amountUsd: option.amountUsd,
      payTo: option.payTo,
      action: decision.action,
      reasons: decision.reasons,
    })),
    statement,
  });
}

const ACTIONS = {
  pay: { label: 'Pay', color: 'green' },
  warn: { label: 'Warning', color: 'yellow' },
  abort: { label: 'Do not pay', color: 'red' },
} as const satisfies Record<Action, unknown>;

/** Appearance of the text, and the command-line options that change the text. */
interface GuardStyle extends TextStyle {
  /** Options that select the service, for commands that the user can run next. */
  readonly serviceArguments: string;
  /** True if a warning counts as a refusal. */
  readonly isStrict: boolean;
}

export function formatGuardResult(result: GuardResult, style: GuardStyle): string {
  return joinSections([
    formatResponse(result, style),
    ...result.options.map((one) => formatOption(one, style)),
    formatObstacle(result.obstacle, style),
    formatSettings(result, style),
    formatStatement(result, style),
    formatNextCommands(result, style.serviceArguments),
    formatAction(result, style),
  ]);
}

function formatResponse({ url, response, options }: GuardResult, { paint, width }: TextStyle): string[] {
  const title = paint('bold', toPlainText(url ?? ''));
  // If there is no decision, `problem` already describes the response and contains its notes.
  if (response === null || options.length === 0) return [title];
  const count = formatCount(options.length, 'payment option');
  const request = toPlainText(response.method ?? 'The request');
  return [
    title,
    ...wrap(`${request} returned ${String(response.status)}. Checked ${count}.`, '', width),
    ...response.notes.flatMap((note) => wrap(toPlainText(note), '', width)),
  ];
}

function formatOption({ option, decision }: OptionDecision, style: TextStyle): string[] {
  const lines = formatOptions([option], style.width);
  const reasons = decision.reasons.flatMap((reason) => formatReason(reason, style));
  return [...lines, ...(reasons.length === 0 ? [`  ${style.paint('green', 'Pay')}`] : reasons)];
}

function formatReason(
  { action, message }: Pick<Reason, 'action' | 'message'>,
  { paint, width }: TextStyle,
): string[] {
  const { label, color } = ACTIONS[action];
  const [first = '', ...rest] = wrap(`${label}: ${toPlainText(message)}`, '  ', width);
  return [first.replace(label, paint(color, label)), ...rest];
}

function formatObstacle(obstacle: string | null, style: TextStyle): string[] {
  if (obstacle === null) return [];
  const message = `The reference clients would make no payment that settles. ${obstacle} See touchstone lint.`;
  return formatReason({ action: 'abort', message }, style);
}

function formatSettings({ response, options }: GuardResult, style: TextStyle): string[] {
  const settings = options.length === 0 ? [] : (response?.challenge.neededSettings ?? []);
  if (settings.length === 0) return [];
  const action = settings.some(({ kind }) => kind !== 'amount') ? 'warn' : 'pay';
  return formatReason({ action, message: describeClientSettings(settings) }, style);
}

function formatAction({ action }: GuardResult, { paint, isStrict }: GuardStyle): string[] {
  if (action === null) return [];
  if (action === 'warn' && isStrict) return [paint(['bold', 'red'], 'Do not pay (--strict)')];
  const text = { pay: 'Pay', warn: 'Pay, with warnings', abort: 'Do not pay' }[action];
  return [paint(['bold', ACTIONS[action].color], text)];
}

type Endpoint = NonNullable<ServiceSummary['endpoint']>;

const MATCHES = { exact: '', path: ' (same URL apart from the query)', template: ' (URL template)' } as const;

function formatStatement({ statement, options }: GuardResult, style: TextStyle): string[] {
  if (statement === null) return [];
  const { match, endpoint } = statement;
  if (endpoint === null) {
    // If there are payment options, the reasons of the decisions already state that the endpoint is unknown.
    return options.length > 0 ? [] : wrap('Touchstone does not know this endpoint.', '', style.width);
  }
  const isOther = match !== null && match !== 'exact';
  const rows: Row[] = [
    ...(isOther ? [['Endpoint', `${toPlainText(endpoint.resource)}${MATCHES[match]}`] as const] : []),
    ['Grade', endpoint.grade === '?' ? 'none' : `${endpoint.grade}, ${formatScore(endpoint.score)} of 100`],
    ['Advice', `${endpoint.recommendation}, confidence ${formatConfidence(endpoint.confidence)}`],
    ['Findings', formatFindings(endpoint)],
    ['Price', formatPrice(endpoint)],
    ['Last probe', formatLastProbe(endpoint)],
    ...formatListing(endpoint),
    ['Page', toPlainText(endpoint.endpointPage)],
  ];
  return [style.paint('bold', 'Observed by Touchstone'), ...formatRows(rows, style)];
}

function formatFindings({ errorFlags, warningFlags }: Endpoint): string {
  return `${formatCount(errorFlags, 'error')}, ${formatCount(warningFlags, 'warning')}`;
}

function formatPrice({ amountUsd, priceRange30d }: Endpoint): string {
  const price = amountUsd === null ? 'unknown' : formatUsd(amountUsd);
  if (priceRange30d === null) return price;
  const [low, high] = [formatUsd(priceRange30d.lowUsd), formatUsd(priceRange30d.highUsd)];
  return low === high && low === price
    ? `${price}, no other price in 30 days`
    : `${price}, ${low} to ${high} in 30 days`;
}

function formatLastProbe({ lastProbedAt, failingSince }: Endpoint): string {
  const time = lastProbedAt === null ? 'none' : formatMinute(lastProbedAt);
  return failingSince === null ? time : `${time}, failing since ${formatMinute(failingSince)}`;
}

function formatListing({ listing: { status, delistedAt } }: Endpoint): Row[] {
  if (status === 'listed') return [];
  const since = delistedAt === null ? '' : ` since ${formatMinute(delistedAt)}`;
  return [['Listing', `no directory lists this endpoint${since}`]];
}

/** Formats commands that show the findings on the endpoint, or better endpoints, if the action is not `pay`. */
function formatNextCommands({ action, statement }: GuardResult, serviceArguments: string): string[] {
  const endpoint = statement?.endpoint ?? null;
  if (action === 'pay' || endpoint === null) return [];
  const target = [quote(toPlainText(endpoint.resource)), serviceArguments].join(' ').trimEnd();
  return [
    'Next',
    `  touchstone buy trust ${target}`,
    '    for the findings on this endpoint',
    ...(needsAlternative(endpoint, action)
      ? [`  touchstone similar ${target}`, '    for better endpoints with the same purpose']
      : []),
  ];
}

/** Returns true if the endpoint is not good and the number of better alternatives is not 0. */
function needsAlternative(
  { recommendation, betterAlternatives }: Endpoint,
  action: GuardResult['action'],
): boolean {
  if (betterAlternatives === 0) return false;
  return action === 'abort' || recommendation === 'avoid' || recommendation === 'caution';
}
