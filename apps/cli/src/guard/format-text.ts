import type { Action, Reason } from '@touchstone/guard';
import { formatOptions } from '../lint/output/option-lines.ts';
import { formatCount } from '../terminal/format-figures.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { joinSections, type TextStyle } from '../terminal/text-style.ts';
import { wrap } from '../terminal/wrap.ts';
import { formatStatement } from './format-statement.ts';
import type { GuardResult, OptionDecision } from './guard-result.ts';
import { formatNextCommands } from './next-commands.ts';

const ACTIONS = {
  pay: { label: 'Pay', color: 'green' },
  warn: { label: 'Warning', color: 'yellow' },
  abort: { label: 'Do not pay', color: 'red' },
} as const satisfies Record<Action, unknown>;

/** Appearance of the result, and the options of the run that it mentions. */
export interface GuardStyle extends TextStyle {
  /** Options that select the service, for commands that the user can run next. */
  readonly serviceArguments: string;
  /** True if a warning counts as a refusal. */
  readonly isStrict: boolean;
}

/**
 * Formats the response, each payment option with its reasons, the observations of the service, commands to run next, and
 * the decision.
 */
export function formatText(result: GuardResult, style: GuardStyle): string {
  return joinSections([
    formatResponse(result, style),
    ...result.options.map((one) => formatOption(one, style)),
    formatObstacle(result.obstacle, style),
    formatStatement(result, style),
    formatNextCommands(result, style.serviceArguments),
    formatAction(result, style),
  ]);
}

function formatResponse({ url, response, options }: GuardResult, { paint, width }: TextStyle): string[] {
  const title = paint('bold', toPlainText(url ?? ''));
  // Without a decision, the problem describes the response and contains its notes.
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
  const message = `No x402 client would make a payment that settles. ${obstacle} See touchstone lint.`;
  return formatReason({ action: 'abort', message }, style);
}

function formatAction({ action }: GuardResult, { paint, isStrict }: GuardStyle): string[] {
  if (action === null) return [];
  if (action === 'warn' && isStrict) return [paint(['bold', 'red'], 'Do not pay (--strict)')];
  const text = { pay: 'Pay', warn: 'Pay, with warnings', abort: 'Do not pay' }[action];
  return [paint(['bold', ACTIONS[action].color], text)];
}
