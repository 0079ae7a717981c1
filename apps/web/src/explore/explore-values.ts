/** Id of a network in CAIP-2. */
export type NetworkId = `${string}:${string}`;

/** Maximum length of a host, in characters (RFC 1035, section 2.3.4). */
const MAX_HOST_LENGTH = 253;
/** Maximum length of a tag, in UTF-16 units. */
const MAX_TAG_LENGTH = 32;

/** Returns true for a network id of the form that CAIP-2 defines. */
export function isNetwork(value: string): value is NetworkId {
  return /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(value);
}

/** Returns true for a host in lower case, optionally with a port. An IPv6 address has brackets. */
export function isHost(value: string): boolean {
  return value.length <= MAX_HOST_LENGTH && /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(value);
}

/** Returns true for a text that can be a tag. */
export function isTag(value: string): boolean {
  return value !== '' && value.length <= MAX_TAG_LENGTH;
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
