import type { Command } from 'commander';
import { CliError, type CommandTools, type Host } from '../command-tools.ts';
import { parseOrNull } from '../json.ts';
import type { Input } from '../service/operation-command.ts';
import { createTextStyle, escapeJsonText, type TextStyle, wrap } from '../terminal/text.ts';
import type { BuyHelp, BuyOptions } from './buy-options.ts';
import { readBuyOptions } from './buy-settings.ts';
import { createOrder, type OrderParts } from './order.ts';
import { formatReceipt, purchase, type Purchase } from './purchase.ts';

/** A planned purchase, and the functions that format and verify its result. */
interface PresentedPurchase extends PlannedPurchase {
  readonly presentation: Presentation;
  /** URL of the service if no option and no environment variable names a service; undefined if there is no default. */
  readonly defaultService: string | undefined;
}

/** Buys a result, prints it and verifies it. @throws CliError when nothing was bought */
export async function buyAndPrint(
  { presentation, defaultService, name, values, ...parts }: PresentedPurchase,
  command: Command,
  tools: CommandTools,
): Promise<void> {
  const { host, out, printMessage } = tools;
  const { json, color } = command.optsWithGlobals<BuyOptions>();
  const settings = readBuyOptions(command, host, defaultService);
  const bought = await purchase(createOrder(settings.service, parts), settings, tools);
  const context = { values, service: settings.service, command, host };
  const received = parseOrNull(bought.text);
  const result = presentation.readResult(received, context);
  const keepError = keepResult(result);
  const style = createTextStyle(host, color);
  const asText = json !== true && result !== null;
  await out.write(asText ? result.toText(style) : `${escapeJsonText(bought.text).trimEnd()}\n`);
  if (out.failure === null && keepError === null) bought.confirmReceived();
  const verified = (await presentation.verify?.(received, context)) ?? null;
  if (asText) await out.write(`\n${formatFooter(bought, verified, style)}\n`);
  else if (json === true)
    printMessage([formatReceipt(bought), ...(verified ? [verified.line] : [])].join('\n'));
  else printMessage(formatFooter(bought, verified, style));
  const isComplete = keepError === null && verified?.code !== 1;
  const hint = (isComplete ? result?.hint : null) ?? null;
  if (hint !== null && asText) await out.write(`\n${hint}\n`);
  else if (hint !== null) printMessage(hint);
  if (result === null) printMessage(`The response is not ${name} that this version can read.`);
  if (keepError !== null) printMessage(keepError);
  tools.setExitCode(result !== null && keepError === null ? (verified?.code ?? 0) : 2);
}

/** Stores the result if it has a `keep` function. @returns the error message; null if there was no error */
function keepResult(result: ReadResult | null): string | null {
  try {
    result?.keep?.();
    return null;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

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

/** A planned purchase: the request, and the name of its result for messages. */
export interface PlannedPurchase extends OrderParts {
  /** Name of the result with an article, such as `a trust report`. */
  readonly name: string;
  /** Values of the request, completed with the defaults of the API contract. */
  readonly values: Input;
}

/** A purchase, for the functions that format and verify its result. */
export interface PurchaseContext {
  readonly values: Input;
  readonly service: URL;
  readonly command: Command;
  readonly host: Host;
}

/** A bought result that this version can read. */
interface ReadResult {
  readonly toText: (style: TextStyle) => string;
  /** Stores the result, such as the secret of a watch, before the result is printed. @throws CliError on failure */
  readonly keep?: () => void;
  /** Lines with the commands to run next; null when there are no such commands. */
  readonly hint?: string | null;
}

/** Result of verifying a bought report. */
export interface VerificationResult {
  readonly color: 'green' | 'red' | 'yellow';
  /** Findings on the figures and the signature, in one line. */
  readonly line: string;
  /** Exit code with the same meaning as in `touchstone verify`: 0 valid, 1 invalid, 2 undetermined. */
  readonly code: 0 | 1 | 2;
}

/** Functions that read and verify the result of a buying command. The API contract describes the rest of the command. */
export interface Presentation extends BuyHelp {
  /** Checks the argument of the command. @throws CliError for an invalid argument */
  readonly checkArgument?: (text: string) => void;
  /** Returns the default URL of the service: it is used if no option and no environment variable names a service. */
  readonly findDefaultService?: (argument: string, env: Host['env']) => string | undefined;
  /** Reads the JSON of the response. Returns null for a response that this version cannot read. */
  readonly readResult: (json: unknown, context: PurchaseContext) => ReadResult | null;
  /** Verifies the response; absent for results without a signature, such as a history. */
  readonly verify?: (json: unknown, context: PurchaseContext) => Promise<VerificationResult>;
}
