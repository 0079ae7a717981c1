import { explainNonPublicAddress, parseIpAddress } from '@touchstone/common';
import { MAX_DELIVERY_URL_CHARS } from '../../shared/watch-constants.ts';

/** Pattern of a delivery URL in the published schemas. The rules on the host are only checked when a request arrives. */
export const DELIVERY_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]://\\S+$';

export const DELIVERY_URL_EXPECTATION =
  'must be an https URL on a public host, such as https://example.com/alerts';

/** Maximum length of a host name in an error message, in characters. */
const MAX_QUOTED_CHARS = 60;

/** Names and endings of names that are never public (RFC 6761, RFC 6762, and `.internal` of ICANN). */
const PRIVATE_NAMES = ['localhost', 'local', 'internal'];

/** Returns the reason why a host name or address of a URL is not public; null for a host that may be public. */
function findPrivateReason(hostname: string): string | null {
  const name = hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
  if (parseIpAddress(name) !== null) return explainNonPublicAddress(name);
  if (name.endsWith('.')) return 'two dots at its end';
  if (!name.includes('.')) return 'a name without a dot';
  return PRIVATE_NAMES.some((ending) => name.endsWith(`.${ending}`)) ? 'a private name' : null;
}

/**
 * Returns the reason why a text cannot be a delivery URL, as a phrase that follows the name of the field; null for a
 * valid URL. A valid URL has the scheme https, a host that may be public, and no user name or password. The addresses of
 * the host are checked when a message is sent.
 */
export function explainDeliveryUrl(text: string): string | null {
  const url = new RegExp(DELIVERY_URL_PATTERN).test(text) ? URL.parse(text) : null;
  if (url === null) return DELIVERY_URL_EXPECTATION;
  if (text.length > MAX_DELIVERY_URL_CHARS || url.href.length > MAX_DELIVERY_URL_CHARS) {
    return `must be at most ${String(MAX_DELIVERY_URL_CHARS)} characters long, including percent-encoding`;
  }
  if (url.username !== '' || url.password !== '')
    return 'must be an https URL without user name and password';
  const reason = findPrivateReason(url.hostname);
  const host = url.hostname.slice(0, MAX_QUOTED_CHARS);
  return reason === null ? null : `must be an https URL on a public host, not ${host} (${reason})`;
}

/**
 * Returns the normalized form of a delivery URL, and other text unchanged. The fragment is removed, because HTTP does
 * not send it. The dot at the end of a host name is removed, because the name without this dot means the same host. Two
 * URLs with the same normalized form are the same destination.
 */
export function normalizeDeliveryUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  url.hostname = url.hostname.replace(/(?<!\.)\.$/, '');
  return url.href;
}

/**
 * Numbers the labels of delivery URLs: a label that several URLs share gets a number, so that readers can distinguish
 * the URLs.
 *
 * @example numberLabels(['https://a.example/…', 'https://a.example/…']) // 'https://a.example/… (1 of 2)', …
 */
export function numberLabels(labels: readonly string[]): readonly string[] {
  return labels.map((label, at) => {
    const total = labels.filter((other) => other === label).length;
    const number = labels.slice(0, at + 1).filter((other) => other === label).length;
    return total === 1 ? label : `${label} (${String(number)} of ${String(total)})`;
  });
}
