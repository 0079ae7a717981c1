import type { PaymentOption } from '@touchstone/x402';
import { formatUsd } from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import { wrap } from '../../terminal/wrap.ts';

const MAX_OPTIONS = 5;
/** Maximum length of a network id, an asset or an address, in UTF-16 units. */
const MAX_ID_LENGTH = 100;

/** Formats the payment options of a challenge: price, network and receiving address of each. */
export function formatOptions(options: readonly PaymentOption[], width: number): string[] {
  const lines = options.slice(0, MAX_OPTIONS).flatMap((option, index) => {
    const label = index === 0 ? 'Price:' : 'or';
    const price = `${label} ${formatPrice(option)} on ${toPlainText(option.network, MAX_ID_LENGTH)}`;
    const payTo = toPlainText(option.payTo, MAX_ID_LENGTH) || 'an empty address';
    return [...wrap(price, '', width), ...wrap(`to ${payTo}`, '  ', width)];
  });
  const rest = options.length - MAX_OPTIONS;
  return rest > 0 ? [...lines, `and ${String(rest)} more`] : lines;
}

function formatPrice({ amount, decimals, asset, assetSymbol, amountUsd, falseUsdc }: PaymentOption): string {
  const token = toPlainText(asset, MAX_ID_LENGTH) || 'an unnamed asset';
  if (amount === null) return `an invalid amount of ${token}`;
  if (decimals === null || assetSymbol === null) {
    const warning = falseUsdc ? ', which claims to be USDC but is not,' : '';
    return `${String(amount)} atomic units of ${token}${warning}`;
  }
  const usd = amountUsd === null ? '' : ` (${formatUsd(amountUsd)})`;
  return `${formatWholeTokens(amount, decimals)} ${assetSymbol}${usd}`;
}

/** Formats atomic units as a decimal number of whole tokens without trailing zeros. */
function formatWholeTokens(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const decimal = `${digits.slice(0, point)}.${digits.slice(point)}`;
  return decimal.replace(/0+$/, '').replace(/\.$/, '');
}
