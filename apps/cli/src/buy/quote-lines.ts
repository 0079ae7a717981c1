import { plain } from '../plain.ts';
import type { Order } from './order.ts';
import type { Quote } from './quote.ts';
import { usdWords } from './usd.ts';

/** What the quote is held against, and who pays. */
export interface Buyer {
  readonly payer: string;
  /** Atomic units of USDC. */
  readonly limit: bigint;
  readonly isSandbox: boolean;
}

/** The quote in lines, as it is shown before anything is signed. */
export function quoteLines(quote: Quote, order: Order, { payer, limit, isSandbox }: Buyer): string[] {
  const { amount, network, asset, payTo, serviceName, description } = quote;
  const words = [serviceName, description].flatMap((text) => (text ? [plain(text, 120)] : []));
  const rows: readonly (readonly [string, string])[] = [
    ['For', plain(order.what, 300)],
    ['Price', `${usdWords(amount)} (${String(amount)} atomic units), limit ${usdWords(limit)}`],
    ['In', `USDC, ${asset}`],
    ['On', isSandbox ? `the chain of the sandbox, which calls itself ${network}` : network],
    ['To', payTo],
    ['From', isSandbox ? `${payer}, a wallet of the sandbox with made-up dollars` : payer],
    ...(words.length === 0 ? [] : [['It says', words.join(': ')] as const]),
  ];
  return [`${order.url.origin} asks`, ...rows.map(([name, value]) => `  ${name.padEnd(8)}${value}`)];
}
