import type { Command } from 'commander';
import type { BuyOptions } from '../buy/buy-options.ts';
import { formatReceipt } from '../buy/payment/format-receipt.ts';
import { purchase } from '../buy/purchase.ts';
import { confirm } from '../buy/quote/confirm.ts';
import { formatUsdc } from '../buy/quote/usdc-amount.ts';
import { readBuyOptions, type BuySettings } from '../buy/read-buy-options.ts';
import { ErrorResponseError } from '../buy/service/error-response-error.ts';
import { createOrder } from '../buy/service/order.ts';
import { parseOrNull } from '../buy/service/parse-response.ts';
import { readProblem } from '../buy/service/read-problem.ts';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { formatCount } from '../terminal/format-figures.ts';
import { escapeJsonText, toPlainText } from '../terminal/plain-text.ts';
import { createTextStyle } from '../terminal/text-style.ts';
import { formatBulk, receivedBulkSchema, type ReceivedBulk } from './bulk-text.ts';
import { planPurchases, type BulkPurchase } from './plan-purchases.ts';

interface BulkContext {
  readonly settings: BuySettings;
  readonly options: BuyOptions;
  readonly tools: CommandTools;
}

/**
 * Buys the scores of a list of URLs and prints them. A list that is too long for one purchase is confirmed once, with the
 * total price.
 *
 * @throws CliError when not all URLs were bought
 */
export async function buyBulk(
  resources: readonly string[],
  command: Command,
  tools: CommandTools,
): Promise<void> {
  const settings = readBuyOptions(command, tools.host);
  const options = command.optsWithGlobals<BuyOptions>();
  const purchases = planPurchases(resources);
  if (purchases.length > 1) await confirmTotal(purchases, settings, tools);
  let bought = 0;
  for (const each of purchases) {
    const own = purchases.length === 1 ? settings : { ...settings, limit: each.price, yes: true };
    try {
      await buyScores(each, { settings: own, options, tools });
    } catch (error) {
      if (!(error instanceof CliError) || purchases.length === 1) throw error;
      if (!isUnknownResource(error)) throw createIncompleteError(error, resources, bought);
      tools.printMessage(error.message);
      tools.setExitCode(2);
    }
    bought += each.resources.length;
  }
}

/** Buys and prints the scores of one purchase. */
async function buyScores(
  { resources, path }: BulkPurchase,
  { settings, options, tools }: BulkContext,
): Promise<void> {
  const { host, out, printMessage } = tools;
  const description = `the trust scores of ${formatCount(resources.length, 'endpoint')}`;
  const order = createOrder(settings.service, { path, input: { resources }, description });
  const bought = await purchase(order, settings, tools);
  const scores = readScores(bought.text, resources);
  const asText = options.json !== true && scores !== null;
  await out.write(
    asText
      ? formatBulk(scores, createTextStyle(host, options.color))
      : `${escapeJsonText(bought.text).trimEnd()}\n`,
  );
  if (out.failure === null) bought.confirmReceived();
  if (asText) await out.write(`${formatReceipt(bought)}\n`);
  else printMessage(formatReceipt(bought));
  if (scores !== null) return;
  printMessage('The response is not a list of scores of these URLs that this version can read.');
  tools.setExitCode(2);
}

/** Parses the scores. Returns null for another response, also for one on other URLs or in another order. */
function readScores(text: string, resources: readonly string[]): ReceivedBulk | null {
  const { data } = receivedBulkSchema.safeParse(parseOrNull(text));
  if (data === undefined || data.results.length !== resources.length) return null;
  return data.results.every(({ resource }, index) => resource === resources[index]) ? data : null;
}

/** Shows the purchases, and gets their total price confirmed. @throws CliError when it is not confirmed */
async function confirmTotal(
  purchases: readonly BulkPurchase[],
  { limit, yes }: BuySettings,
  { host, printMessage }: CommandTools,
): Promise<void> {
  const total = purchases.reduce((sum, { price }) => sum + price, 0n);
  const lines = purchases.map(
    ({ resources, price }) => `  ${formatCount(resources.length, 'URL').padEnd(10)}${formatUsdc(price)}`,
  );
  printMessage(
    [
      `The list needs ${String(purchases.length)} purchases`,
      ...lines,
      `  ${'Total'.padEnd(10)}${formatUsdc(total)}, limit ${formatUsdc(limit)}`,
    ].join('\n'),
  );
  if (total > limit) {
    throw new CliError(
      `The total price of ${formatUsdc(total)} is above the limit of ${formatUsdc(limit)}. ` +
        `Nothing was signed or charged. Use --max-usd ${formatUsdc(total).slice(1)}, or a shorter list.`,
    );
  }
  if (yes) return;
  const isConfirmed = await confirm(`Pay ${formatUsdc(total)} in total?`, host);
  if (isConfirmed === null) {
    throw new CliError(
      'Nothing was signed or charged: without a terminal you cannot confirm the price. ' +
        `Give --yes to pay up to ${formatUsdc(limit)} without confirmation.`,
    );
  }
  if (!isConfirmed) throw new CliError('Nothing was signed or charged.');
}

/** Returns true when none of the URLs of a purchase is in the catalog, which is a result and is not charged. */
function isUnknownResource(error: CliError): boolean {
  return error instanceof ErrorResponseError && readProblem(error.response)?.code === 'unknown-resource';
}

/** Adds to an error which URLs were processed before it. */
function createIncompleteError(cause: CliError, resources: readonly string[], processed: number): CliError {
  const next = toPlainText(resources[processed] ?? '', 300);
  const state =
    processed === 0
      ? 'No scores were printed.'
      : `The scores before ${next} were printed. A list that begins with this URL does not buy them again.`;
  return new CliError(`${cause.message} ${state}`, { cause });
}
