import { formatUsd } from '@touchstone/ui';

/** Lowest price that is shown exactly, in US dollars: the smallest amount of USDC. */
const MIN_PRICE_USD = 0.000001;

/** Formats a price in US dollars with at most six decimals. */
export function formatPrice(price: number): string {
  return price < MIN_PRICE_USD ? 'under $0.000001' : formatUsd(price.toFixed(6));
}
