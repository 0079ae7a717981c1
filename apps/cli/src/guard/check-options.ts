import type { Guard } from '@touchstone/guard';
import { toCaip2, type PaymentOption } from '@touchstone/x402';
import { CliError } from '../cli-error.ts';
import type { LintResult } from '../lint/lint-result.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { toGuardResult, type GuardResult } from './guard-result.ts';

/** Maximum number of payment options that are checked. Each one may cost a request to the service. */
const MAX_OPTIONS = 16;

/**
 * Checks the payment options of a response.
 *
 * @param network only network whose options are checked; undefined for all
 * @throws CliError when there is no option to decide on
 */
export async function checkOptions(
  response: LintResult,
  guard: Guard,
  network: string | undefined,
): Promise<GuardResult> {
  const options = selectOptions(response, network);
  const decisions = await Promise.all(
    options.map(async (option) => ({
      option,
      decision: await guard.check({
        url: response.url,
        network: option.network,
        asset: option.asset,
        // The guard refuses a payment without a valid amount.
        amount: option.amount?.toString() ?? '',
        payTo: option.payTo,
      }),
    })),
  );
  return toGuardResult(response, decisions);
}

function selectOptions(response: LintResult, network: string | undefined): readonly PaymentOption[] {
  const { options } = response.challenge;
  if (options.length === 0) throw new CliError(explainNoOptions(response));
  const selected =
    network === undefined ? options : options.filter((option) => option.network === toCaip2(network));
  if (selected.length === 0) {
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

function explainNoOptions({ method, status, failureReason, notes, challenge }: LintResult): string {
  const request = method ?? 'The request';
  const result =
    status === null
      ? `got no response: ${toPlainText(failureReason ?? 'unknown')}.`
      : `returned ${String(status)} without payment terms that can be read.`;
  const advice = challenge.verdict === 'undetermined' || notes.length > 0 ? notes : ['See touchstone lint.'];
  return [`No decision: ${request} ${result}`, ...advice.map((note) => toPlainText(note))].join(' ');
}
