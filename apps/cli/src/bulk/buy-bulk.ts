import { bulkSchema, NOT_IN_CATALOG } from '@touchstone/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import type { BuyOptions } from '../buy/buy-options.ts';
import { type BuySettings, readBuyOptions } from '../buy/buy-settings.ts';
import { createOrder } from '../buy/order.ts';
import { formatReceipt, purchase } from '../buy/purchase.ts';
import { confirmPrice } from '../buy/quote.ts';
import { CliError, type CommandTools } from '../command-tools.ts';
import { parseOrNull } from '../json.ts';
import { GRADE_COLORS, RECOMMENDATION_COLORS } from '../results/verdict-text.ts';
import { ErrorResponseError, readProblem } from '../service/request.ts';
import {
  createTextStyle,
  escapeJsonText,
  formatCount,
  formatNumber,
  formatPoints,
  formatUsdc,
  type TextStyle,
  toPlainText,
} from '../terminal/text.ts';
import { type BulkPurchase, planPurchases } from './plan-purchases.ts';

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
  const context = { settings, options, tools };
  const [only] = purchases;
  if (purchases.length === 1 && only !== undefined) await buyScores(only, context);
  else await buyInSeveral(purchases, context);
}

/** Result of one or more purchases. */
interface BulkResult {
  /** Number of URLs that were processed. */
  readonly processed: number;
  /** Number of these URLs that are in the catalog. */
  readonly found: number;
  /** Sum of the payments, in atomic units of USDC. */
  readonly paid: bigint;
}

/** Makes the purchases one after another, and prints their total at the end. @throws CliError after an error */
async function buyInSeveral(purchases: readonly BulkPurchase[], context: BulkContext): Promise<void> {
  const { settings, tools } = context;
  let total: BulkResult = { processed: 0, found: 0, paid: 0n };
  for (const each of purchases) {
    const own = { ...context, settings: { ...settings, limit: each.price, yes: true } };
    try {
      const { processed, found, paid } = await buyOrListUnknown(each, own);
      total = {
        processed: total.processed + processed,
        found: total.found + found,
        paid: total.paid + paid,
      };
    } catch (error) {
      if (total.processed > 0) await printTotal(total, context);
      if (!(error instanceof CliError)) throw error;
      throw createIncompleteError(error, purchases, total.processed);
    }
  }
  await printTotal(total, context);
  if (total.found === 0) tools.setExitCode(2);
}

async function printTotal({ processed, found, paid }: BulkResult, context: BulkContext): Promise<void> {
  const { options, tools } = context;
  const line =
    `Total: ${formatNumber(found)} of ${formatCount(processed, 'URL')} are in the catalog. ` +
    `Paid ${paid === 0n ? 'nothing' : formatUsdc(paid)}.`;
  if (options.json === true) tools.printMessage(line);
  else await tools.out.write(`\n${line}\n`);
}

/** Buys and prints the scores of one purchase. If no URL is in the catalog, prints that, because nothing was charged. */
async function buyOrListUnknown(purchase: BulkPurchase, context: BulkContext): Promise<BulkResult> {
  try {
    return await buyScores(purchase, context);
  } catch (error) {
    if (!(error instanceof CliError) || !isUnknownResource(error)) throw error;
    const { options, tools } = context;
    tools.printMessage(error.message);
    const { resources } = purchase;
    const unknown = { results: resources.map((resource) => ({ resource, ...NOT_IN_CATALOG })) };
    await tools.out.write(
      options.json === true
        ? `${JSON.stringify(unknown)}\n`
        : formatBulk(unknown, createTextStyle(tools.host, options.color)),
    );
    return { processed: resources.length, found: 0, paid: 0n };
  }
}

/** Buys and prints the scores of one purchase. */
async function buyScores(
  { resources, path }: BulkPurchase,
  { settings, options, tools }: BulkContext,
): Promise<BulkResult> {
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
  const found = scores?.results.filter((result) => result.found).length ?? 0;
  if (scores === null) {
    printMessage('The response is not a list of scores of these URLs that this version can read.');
    tools.setExitCode(2);
  }
  return { processed: resources.length, found, paid: BigInt(bought.payment?.amount ?? 0) };
}

/** Parses the scores. Returns null unless the response has the scores of exactly these URLs, in the same order. */
function readScores(text: string, resources: readonly string[]): ReceivedBulk | null {
  const { data } = receivedBulkSchema.safeParse(parseOrNull(text));
  if (data === undefined || data.results.length !== resources.length) return null;
  return data.results.every(({ resource }, index) => resource === resources[index]) ? data : null;
}

/** Shows the purchases, and asks to confirm their total price. @throws CliError when the price is not confirmed */
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
  if (!yes) await confirmPrice(`Pay ${formatUsdc(total)} in total?`, limit, host);
}

/** Returns true when none of the URLs of a purchase is in the catalog, which is a result and is not charged. */
function isUnknownResource(error: CliError): boolean {
  return error instanceof ErrorResponseError && readProblem(error.response)?.code === 'unknown-resource';
}

/** Creates an error that also states which URLs were processed before the error. */
function createIncompleteError(
  cause: CliError,
  purchases: readonly BulkPurchase[],
  processed: number,
): CliError {
  const resources = purchases.flatMap((purchase) => purchase.resources);
  const next = toPlainText(resources[processed] ?? '', 300);
  const state =
    processed === 0
      ? 'No scores were printed.'
      : `The scores before ${next} were printed. A list that begins with this URL does not buy them again.`;
  return new CliError(`${cause.message} ${state}`, { cause });
}

const MAX_URL_CHARS = 3_000;
const NOT_MEASURED = '–';

const { results } = bulkSchema.shape;
/** Schema of received scores. Unknown members are ignored, because newer services may add some. */
const receivedBulkSchema = z.object({
  results: z.array(z.object(results.element.shape)),
});
/** Received scores. */
export type ReceivedBulk = z.infer<typeof receivedBulkSchema>;
type Result = ReceivedBulk['results'][number];

const HEADING = formatColumns(['Grade', 'Score', 'Recommendation', 'Confidence', 'URL']);

/** Formats scores as a table. The error flags of an endpoint are on a second line. The last line counts the results. */
export function formatBulk({ results: list }: ReceivedBulk, style: TextStyle): string {
  const found = list.filter((result) => result.found).length;
  const count = `${formatNumber(found)} of ${formatNumber(list.length)} URLs are in the catalog.`;
  return [
    style.paint('bold', HEADING),
    ...list.flatMap((result) => formatResult(result, style)),
    '',
    count,
    '',
  ].join('\n');
}

function formatResult(
  { resource, found, grade, score, recommendation, confidence, error_flags: flags }: Result,
  { paint }: TextStyle,
): string[] {
  const [gradeCell, scoreCell, recommendationCell, ...rest] = padColumns([
    grade ?? NOT_MEASURED,
    score === null ? NOT_MEASURED : formatPoints(score),
    found ? (recommendation ?? NOT_MEASURED) : 'not in catalog',
    confidence === null ? NOT_MEASURED : confidence.toFixed(2),
    toPlainText(resource, MAX_URL_CHARS),
  ]);
  const line = [
    grade === null ? gradeCell : paint(GRADE_COLORS[grade], gradeCell),
    scoreCell,
    recommendation === null
      ? paint('dim', recommendationCell)
      : paint(RECOMMENDATION_COLORS[recommendation], recommendationCell),
    ...rest,
  ].join('  ');
  if (flags === null || flags.length === 0) return [line];
  const slugs = flags.map((slug) => toPlainText(slug, 64)).join(', ');
  return [line, paint('red', formatColumns(['', '', '', '', `✖ ${slugs}`]))];
}

type Cells = readonly [grade: string, score: string, recommendation: string, confidence: string, url: string];

function formatColumns(cells: Cells): string {
  return padColumns(cells).join('  ');
}

function padColumns([grade, score, recommendation, confidence, url]: Cells): Cells {
  return [grade.padEnd(5), score.padStart(5), recommendation.padEnd(14), confidence.padStart(10), url];
}
