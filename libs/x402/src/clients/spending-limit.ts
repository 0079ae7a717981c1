import { listToText } from '../json/untrusted-json.ts';

/** Maximum length of an amount that is read as a number, in UTF-16 units. A longer amount is over every limit. */
const MAX_AMOUNT_LENGTH = 1_000;
/** Decimals with which the client compares an amount that is not in atomic units. */
const DOLLAR_DECIMALS = 18;

/**
 * Returns true when an amount is within the default limit of the version 2 client, which is one US dollar for a
 * payment; null when the client throws while it reads the amount. The client reads digits as atomic units and other
 * decimal numbers as dollars. Source: @x402/core 2.27, `applySpendControls`, `convertToTokenAmount`.
 *
 * @param decimals decimals of the token, which is a dollar token
 */
export function isWithinDefaultLimit(amount: unknown, decimals: number): boolean | null {
  const text = listToText([amount]) ?? '';
  const isNull = amount === null || amount === undefined;
  if (isNull || /e/i.test(text) || !/^-?\d+\.?\d*$/.test(text)) return null;
  const isAtomic = /^\d+$/.test(text);
  if (!isAtomic && typeof amount !== 'string') return null;
  if (text.length > MAX_AMOUNT_LENGTH) return false;
  if (isAtomic) return BigInt(text) <= 10n ** BigInt(decimals);
  const [whole = '', fraction = ''] = text.split('.');
  const digits = fraction.padEnd(DOLLAR_DECIMALS, '0').slice(0, DOLLAR_DECIMALS);
  return BigInt(whole + digits) <= 10n ** BigInt(DOLLAR_DECIMALS);
}
