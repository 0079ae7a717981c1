/** Id of a network in CAIP-2. */
export type NetworkId = `${string}:${string}`;

/** Returns true for a network id of the form that CAIP-2 defines. */
export function isNetwork(value: string): value is NetworkId {
  return /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(value);
}

/** Returns true for a text that can be a cursor of the store. */
export function isCursor(value: string): boolean {
  return /^[\w-]{1,512}$/.test(value);
}

/**
 * Returns a price in US dollars without a dollar sign and without extra zeros; null for a text that is not a price. A
 * price has at most nine digits before and six digits after the decimal point.
 */
export function normalizePrice(value: string): string | null {
  const parts = /^\$?(\d{0,9})(?:\.(\d{0,6}))?$/.exec(value);
  if (parts === null) return null;
  const [, whole = '', fraction = ''] = parts;
  if (whole === '' && fraction === '') return null;
  const digits = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+/, '') || '0'}${digits === '' ? '' : `.${digits}`}`;
}
