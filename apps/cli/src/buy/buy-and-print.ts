import type { Command } from 'commander';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import type { CommandTools, Host } from '../command-tools.ts';
import { escapeJsonText, toPlainText } from '../terminal/plain-text.ts';
import { createTextStyle, type TextStyle, wrap } from '../terminal/text-style.ts';
import type { BuyOptions } from './buy-options.ts';
import { formatReceipt, purchase, type Purchase } from './purchase.ts';
import { readBuyOptions } from './buy-settings.ts';
import { createOrder } from './order.ts';
import { parseOrNull } from '../json.ts';
import { createFindings } from '../verify/format-result.ts';
import { openKeyRing } from '../verify/key-ring.ts';
import { checkReport, toExitCode } from '../verify/check-report.ts';

/** A paid operation of the service, with the functions that format and verify its result. */
export interface Product<T> {
  readonly path: string;
  /** Query parameters of the request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Request body. */
  readonly input: object;
  /** Name of the result with an article, such as `a trust report`. */
  readonly name: string;
  /** Name of the result with its subject, such as `a trust report on https://…`. */
  readonly description: string;
  readonly schema: z.ZodType<T>;
  readonly toText: (value: T, style: TextStyle) => string;
  /** Verifies the result; absent for results without a signature, such as a history. */
  readonly verify?: (value: unknown, service: URL) => Promise<VerificationResult>;
  /** Stores the result before it is printed, such as the secret of a watch. @throws CliError when it cannot be stored */
  readonly keep?: (value: T, service: URL) => void;
  /** URL of the service if no option and no variable names one. */
  readonly defaultService?: string;
  /** Returns lines with the commands to run next; null for none. It is not called for a result that is invalid. */
  readonly toHint?: (value: T) => string | null;
}

/**
 * Buys a product under the conditions in the options of a command. Prints the result, the payment and the outcome of
 * the verification.
 *
 * @throws CliError when nothing was bought
 */
export async function buyAndPrint<T>(
  product: Product<T>,
  command: Command,
  tools: CommandTools,
): Promise<void> {
  const { host, out, printMessage } = tools;
  const { json, color } = command.optsWithGlobals<BuyOptions>();
  const settings = readBuyOptions(command, host, product.defaultService);
  const bought = await purchase(createOrder(settings.service, product), settings, tools);
  const value = parseOrNull(bought.text);
  const parsed = product.schema.safeParse(value);
  const keepError = parsed.success ? keepResult(product, parsed.data, settings.service) : null;
  const style = createTextStyle(host, color);
  const asText = json !== true && parsed.success;
  const text = asText ? product.toText(parsed.data, style) : `${escapeJsonText(bought.text).trimEnd()}\n`;
  await out.write(text);
  if (out.failure === null && keepError === null) bought.confirmReceived();
  const verified = (await product.verify?.(value, settings.service)) ?? null;
  if (asText) await out.write(`\n${formatFooter(bought, verified, style)}\n`);
  else if (json === true)
    printMessage([formatReceipt(bought), ...(verified ? [verified.line] : [])].join('\n'));
  else printMessage(formatFooter(bought, verified, style));
  const isComplete = keepError === null && verified?.code !== 1;
  const hint = parsed.success && isComplete ? (product.toHint?.(parsed.data) ?? null) : null;
  if (hint !== null && asText) await out.write(`\n${hint}\n`);
  else if (hint !== null) printMessage(hint);
  if (!parsed.success) printMessage(`The response is not ${product.name} that this version can read.`);
  if (keepError !== null) printMessage(keepError);
  tools.setExitCode(parsed.success && keepError === null ? (verified?.code ?? 0) : 2);
}

/** Stores a result if its product is stored. @returns the message of the error, or null */
function keepResult<T>({ keep }: Product<T>, value: T, service: URL): string | null {
  try {
    keep?.(value, service);
    return null;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** Formats the payment and the verification of a purchase. */
function formatFooter(
  bought: Purchase,
  verified: VerificationResult | null,
  { paint, width }: TextStyle,
): string {
  const lines = verified === null ? [] : wrap(verified.line, '', width);
  return [
    ...wrap(formatReceipt(bought), '', width),
    ...lines.map((line) => paint(verified?.color ?? 'green', line)),
  ].join('\n');
}

/** Result of verifying a bought report. */
export interface VerificationResult {
  readonly color: 'green' | 'red' | 'yellow';
  /** Findings on the figures and the signature, in one line. */
  readonly line: string;
  /** Exit code with the same meaning as in `touchstone verify`: 0 valid, 1 invalid, 2 undetermined. */
  readonly code: 0 | 1 | 2;
}

/** The request that bought the report. */
export interface ReportRequest {
  readonly service: URL;
  /** URL of the endpoint. */
  readonly resource: string;
  readonly stdin: Host['stdin'];
}

const COLORS = ['green', 'red', 'yellow'] as const;

/**
 * Verifies that a report is about the requested endpoint, that its computed figures follow from its raw figures, and
 * that the service signed it.
 */
export async function verifyBoughtReport(
  report: unknown,
  { service, resource, stdin }: ReportRequest,
): Promise<VerificationResult> {
  const source = { stdin, allowPrivate: true, caFile: undefined };
  const keyRing = await openKeyRing({ ...source, keysOption: undefined, reportsUrl: service });
  const checked = await checkReport('', report, keyRing);
  const reported = checked.figures.outcome === 'no-report' ? null : checked.figures.report.resource;
  if (reported !== null && reported !== resource) {
    return { color: 'red', code: 1, line: `Wrong report: it is about ${toPlainText(reported, 500)}` };
  }
  const code = toExitCode(checked);
  const line = createFindings(checked)
    .map(({ title, sentence, details }) => `${title}: ${[sentence, ...details.slice(0, 2)].join(' ')}`)
    .join(' ');
  return { color: COLORS[code], code, line };
}
