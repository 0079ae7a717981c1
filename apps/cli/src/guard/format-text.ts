import type { Action, Reason, Summary } from '@touchstone/guard';
import { formatOptions } from '../lint/output/option-lines.ts';
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatTime,
  formatUsd,
} from '../terminal/format-figures.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { formatRows, joinSections, type Row, type TextStyle } from '../terminal/text-style.ts';
import { wrap } from '../terminal/wrap.ts';
import type { GuardResult, OptionDecision } from './guard-result.ts';

const ACTIONS = {
  pay: { label: 'Pay', color: 'green' },
  warn: { label: 'Warning', color: 'yellow' },
  abort: { label: 'Do not pay', color: 'red' },
} as const satisfies Record<Action, unknown>;

/** Formats the decision: the response, each payment option with its reasons, the statement of Touchstone, the result. */
export function formatText(result: GuardResult, style: TextStyle): string {
  const { response, options, obstacle } = result;
  const { paint, width } = style;
  const count = formatCount(options.length, 'payment option');
  const summaries = options.flatMap(({ decision }) => decision.summary ?? []);
  return joinSections([
    [
      paint('bold', toPlainText(response.url)),
      ...wrap(
        `${toPlainText(response.method ?? 'The request')} returned ${String(response.status)}. Checked ${count}.`,
        '',
        width,
      ),
      ...response.notes.flatMap((note) => wrap(toPlainText(note), '', width)),
    ],
    ...options.map((one) => formatOption(one, style)),
    formatObstacle(obstacle, style),
    formatStatement(summaries[0], style),
    formatResult(result, style),
  ]);
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
  const message = `No x402 client would make a payment that settles. ${obstacle} See touchstone lint.`;
  return formatReason({ action: 'abort', message }, style);
}

function formatStatement(summary: Summary | undefined, style: TextStyle): string[] {
  const endpoint = summary?.endpoint ?? null;
  if (summary === undefined || endpoint === null) return [];
  const { match } = summary;
  const { lowUsd, highUsd } = endpoint.priceRange30d ?? {};
  const price = endpoint.amountUsd === null ? 'unknown' : formatUsd(endpoint.amountUsd);
  const range =
    lowUsd === undefined || highUsd === undefined
      ? ''
      : `, ${formatUsd(lowUsd)} to ${formatUsd(highUsd)} in 30 days`;
  const rows: Row[] = [
    ...(match === 'exact' ? [] : [['Statement on', toPlainText(endpoint.resource)] as const]),
    ['Grade', `${endpoint.grade}, ${formatPoints(endpoint.score)} points`],
    ['Advice', `${endpoint.recommendation}, confidence ${formatPercent(endpoint.confidence)}`],
    ['Price', `${price}${range}`],
    ['Last probe', endpoint.lastProbedAt === null ? 'none' : formatTime(endpoint.lastProbedAt)],
    ['Page', toPlainText(endpoint.endpointPage)],
  ];
  return [style.paint('bold', 'Observed by Touchstone'), ...formatRows(rows, style)];
}

function formatResult({ action }: GuardResult, { paint, width }: TextStyle): string[] {
  if (action === null) return wrap('No decision: Touchstone could not be reached.', '', width);
  const { color } = ACTIONS[action];
  const text = { pay: 'Pay', warn: 'Pay, with warnings', abort: 'Do not pay' }[action];
  return [paint(['bold', color], text)];
}
