import type { PaymentOption } from '@touchstone/x402';
import { plain } from '../plain.ts';
import { wrap } from '../wrap.ts';

const MOST_SHOWN = 5;
const ID_LIMIT = 100;

/** What an answer asks to be paid: price, network and wallet of each option. */
export function offerLines(options: readonly PaymentOption[], width: number): string[] {
  const lines = options
    .slice(0, MOST_SHOWN)
    .flatMap((option, index) => [
      ...wrap(
        `${index === 0 ? 'Asks' : 'or'} ${priceWords(option)} on ${plain(option.network, ID_LIMIT)}`,
        '',
        width,
      ),
      ...wrap(`to ${plain(option.payTo, ID_LIMIT) || 'nobody'}`, '  ', width),
    ]);
  const more = options.length - MOST_SHOWN;
  return more > 0 ? [...lines, `and ${String(more)} more`] : lines;
}

function priceWords({ amount, decimals, asset, assetSymbol, amountUsd, falseUsdc }: PaymentOption): string {
  if (amount === null) return `an unreadable amount of ${plain(asset, ID_LIMIT) || 'no asset'}`;
  if (decimals === null || assetSymbol === null) {
    const warning = falseUsdc ? ', which calls itself USDC and is not,' : '';
    return `${String(amount)} atomic units of ${plain(asset, ID_LIMIT) || 'no asset'}${warning}`;
  }
  const usd = amountUsd === null ? '' : ` ($${trimZeros(amountUsd)})`;
  return `${wholeTokens(amount, decimals)} ${assetSymbol}${usd}`;
}

function wholeTokens(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return trimZeros(`${digits.slice(0, point)}.${digits.slice(point)}`);
}

/** Drops the zeros that a decimal fraction ends in. */
function trimZeros(decimal: string): string {
  return decimal.replace(/0+$/, '').replace(/\.$/, '');
}
