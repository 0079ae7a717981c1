import type { Guard } from '@touchstone/guard';
import { toCaip2, type PaymentOption } from '@touchstone/x402';
import { CliError } from '../cli-error.ts';
import type { LintResult } from '../lint/lint-result.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import type { OptionDecision } from './guard-result.ts';

/** Maximum number of payment options that are checked. Each one may cost a request to the service. */
const MAX_OPTIONS = 16;

/** Checks payment options of a response. */
export async function checkOptions(
  { url }: LintResult,
  options: readonly PaymentOption[],
  guard: Guard,
): Promise<readonly OptionDecision[]> {
  return Promise.all(
    options.map(async (option) => ({
      option,
      decision: await guard.check({
        url,
        network: option.network,
        asset: option.asset,
        // The guard refuses a payment without a valid amount.
        amount: option.amount?.toString() ?? '',
        payTo: option.payTo,
      }),
    })),
  );
}

/**
 * Selects the payment options of a response that are checked; none if it has no payment terms.
 *
 * @param network only network whose options are checked; undefined for all
 * @throws CliError if no option is on the network, and for too many options
 */
export function selectOptions(
  { challenge: { options } }: LintResult,
  network: string | undefined,
): readonly PaymentOption[] {
  const selected =
    network === undefined ? options : options.filter((option) => option.network === toCaip2(network));
  if (selected.length === 0 && options.length > 0) {
    const offered = [...new Set(options.map((option) => toPlainText(option.network, 100)))].join(', ');
    throw new CliError(`The endpoint has no payment option on ${network ?? ''}. It offers ${offered}.`);
  }
  if (selected.length > MAX_OPTIONS) {
    throw new CliError(
      `The endpoint has ${selected.length} payment options; at most ${MAX_OPTIONS} are checked. Select a network with --network.`,
    );
  }
  return selected;
}

/** Explains why a response without payment terms allows no decision, and what to do. */
export function explainNoOptions({ method, status, failureReason, notes, challenge }: LintResult): string {
  const request = method ?? 'The request';
  const result =
    status === null
      ? `got no response: ${toPlainText(failureReason ?? 'unknown')}.`
      : `returned ${String(status)} without payment terms that can be read.`;
  const advice = challenge.verdict === 'undetermined' || notes.length > 0 ? notes : ['See touchstone lint.'];
  return [`${request} ${result}`, ...advice.map((note) => toPlainText(note))].join(' ');
}
