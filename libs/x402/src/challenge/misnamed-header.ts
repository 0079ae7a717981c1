import type { HeaderReading } from './read-header.ts';

interface Headers {
  readonly header: HeaderReading;
  /** Header values by lower-case header name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

/** Header names that sellers use instead of PAYMENT-REQUIRED. No client reads them. */
const WRONG_NAMES = [
  'x-payment-required',
  'x-payment',
  'x-payment-requirements',
  'payment-requirements',
  'x402-payment-required',
];

/**
 * Returns the name of the header that a seller uses instead of PAYMENT-REQUIRED; undefined when there is no such header
 * or PAYMENT-REQUIRED is present.
 */
export function findMisnamedHeader({ header, headers }: Headers): string | undefined {
  if (header.state !== 'absent') return undefined;
  return WRONG_NAMES.find((name) => headers.get(name)?.some((value) => value.trim() !== ''));
}
