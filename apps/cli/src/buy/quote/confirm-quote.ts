import { createInterface } from 'node:readline';
import { CliError } from '../../cli-error.ts';
import type { Host } from '../../run.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import type { Order } from '../service/send-request.ts';
import type { Quote } from './read-quote.ts';
import { formatUsdc } from './usdc-amount.ts';

/**
 * Asks for a confirmation on the terminal. Only "y" and "yes" confirm. Other input and the end of the input do not.
 *
 * @returns null when standard input is not a terminal
 */
export async function confirm(question: string, { stdin, stderr }: Host): Promise<boolean | null> {
  if (stdin.isTTY !== true) return null;
  stderr.write(`${question} [y/N] `);
  // With `terminal: false` the terminal itself edits the line, and Ctrl-C ends the command.
  const lines = createInterface({ input: stdin, terminal: false });
  const input = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  // A standard input that is still being read would keep the process alive.
  stdin.pause();
  return /^y(es)?$/i.test(input.trim());
}

/**
 * Asks for the confirmation of a price on the terminal.
 *
 * @param limit maximum price that --yes would confirm, in atomic units of USDC
 * @throws CliError when the price is not confirmed
 */
export async function confirmPrice(question: string, limit: bigint, host: Host): Promise<void> {
  const isConfirmed = await confirm(question, host);
  if (isConfirmed === null) {
    throw new CliError(
      'Nothing was signed or charged: without a terminal you cannot confirm the price. ' +
        `Give --yes to pay up to ${formatUsdc(limit)} without confirmation.`,
    );
  }
  if (!isConfirmed) throw new CliError('Nothing was signed or charged.');
}

/** The buyer's wallet and limit, which are shown with the quote. */
interface Buyer {
  readonly payer: string;
  /** Maximum price, in atomic units of USDC. */
  readonly limit: bigint;
  readonly isSandbox: boolean;
}

/** Formats the quote that is shown before anything is signed. */
export function formatQuote(quote: Quote, order: Order, { payer, limit, isSandbox }: Buyer): string[] {
  const { amount, network, asset, payTo, serviceName, description } = quote;
  const texts = [serviceName, description].flatMap((text) => (text ? [toPlainText(text, 120)] : []));
  const rows: readonly (readonly [string, string])[] = [
    ['For', toPlainText(order.description, 300)],
    ['Price', `${formatUsdc(amount)} (${String(amount)} atomic units), limit ${formatUsdc(limit)}`],
    ['Token', `USDC, ${asset}`],
    [
      'Network',
      isSandbox
        ? `local chain of the sandbox (it uses the id of Base, ${network}; no real money moves)`
        : network,
    ],
    ['To', payTo],
    ['From', isSandbox ? `${payer}, the demo wallet of the sandbox with made-up dollars` : payer],
    ...(texts.length === 0 ? [] : [['Service', texts.join(': ')] as const]),
  ];
  return [`Quote from ${order.url.origin}`, ...rows.map(([label, value]) => `  ${label.padEnd(8)}${value}`)];
}
