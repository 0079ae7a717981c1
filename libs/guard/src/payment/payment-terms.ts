import type { ProposedPayment } from '../decision/decision.ts';
import { normalizeAddress, toCaip2 } from './networks.ts';

/** Valid values of a proposed payment, in the form in which they are compared. */
export interface PaymentTerms {
  /** URL without query, fragment and user info, which may contain secrets of the payer. */
  readonly resource: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly payTo: string;
}

/** Visible ASCII characters only: the values appear in messages and logs, and sellers choose them. */
const VISIBLE = /^[!-~]{1,128}$/;
/** Digits of the largest 256-bit integer. */
const ATOMIC_AMOUNT = /^[0-9]{1,78}$/;
/** Maximum length of a URL that the service accepts, in characters. */
const MAX_RESOURCE_CHARS = 2_048;

/** Reads the values of a proposed payment. Returns null if one of them is malformed. */
export function readPaymentTerms(payment: ProposedPayment): PaymentTerms | null {
  const { url, network, asset, amount, payTo } = payment;
  const resource = toResource(url);
  if (resource === null || !ATOMIC_AMOUNT.test(amount)) return null;
  if (![network, asset, payTo].every((value) => VISIBLE.test(value))) return null;
  const id = toCaip2(network);
  return {
    resource,
    network: id,
    asset: normalizeAddress(id, asset),
    amount: BigInt(amount),
    payTo: normalizeAddress(id, payTo),
  };
}

/** Removes query, fragment and user info from a URL. Returns null for text that is not an http(s) URL. */
export function toResource(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) return null;
  const resource = `${url.origin}${url.pathname}`;
  return resource.length <= MAX_RESOURCE_CHARS ? resource : null;
}

/** Parses an absolute http or https URL. Returns null for other text. */
export function parseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Names that no public DNS server resolves (RFC 6761, RFC 6762 and RFC 8375), and addresses without a name. */
const NOT_PUBLIC_HOST = /^[^.]*$|^[0-9.]+$|\.(?:localhost|local|internal|home\.arpa|lan|test|invalid|onion)$/;

/** Returns true for a URL whose host has no public name, so that Touchstone cannot know it. */
export function isNotPublic(resource: string): boolean {
  const host = new URL(resource).hostname.replace(/\.$/, '');
  return NOT_PUBLIC_HOST.test(host);
}
