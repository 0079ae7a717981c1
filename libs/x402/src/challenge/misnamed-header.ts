import type { HeaderReading } from './read-header.ts';

interface Headers {
  readonly header: HeaderReading;
  /** Values by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

/** Names sellers use in place of PAYMENT-REQUIRED; no client reads them. */
const WRONG_NAMES = [
  'x-payment-required',
  'x-payment',
  'x-payment-requirements',
  'payment-requirements',
  'x402-payment-required',
];

/** The name a seller used in place of the right one; undefined where the right one is there or none is. */
export function findMisnamedHeader({ header, headers }: Headers): string | undefined {
  if (header.state !== 'absent') return undefined;
  return WRONG_NAMES.find((name) => headers.get(name)?.some((value) => value.trim() !== ''));
}
