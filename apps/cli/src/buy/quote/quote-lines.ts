import { toPlainText } from '../../terminal/plain-text.ts';
import type { Order } from '../service/order.ts';
import type { Quote } from './read-quote.ts';
import { formatUsdc } from './usdc-amount.ts';

/** The buyer's wallet and limit, which are shown with the quote. */
export interface Buyer {
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
