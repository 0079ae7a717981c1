import { BodyTooLargeError, parseJson, readBoundedText } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import type { ProposedPayment } from '../payment-terms.ts';

/** Payment option in a challenge. Malformed values are empty text. */
export type Offer = Omit<ProposedPayment, 'url' | 'scheme' | 'signedAmount'> & { readonly scheme: string };

/** Content of a 402 response: no x402 challenge, a challenge that cannot be read, or its payment options. */
export type Challenge =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  /** `content`: decoded challenge. */
  | { readonly kind: 'offers'; readonly offers: readonly Offer[]; readonly content: unknown };

/** Maximum length of a header with a challenge or a payment, in characters. */
const MAX_HEADER_CHARS = 131_072;
/** Maximum size of a body with a challenge, in bytes. */
const MAX_BODY_BYTES = 1_048_576;
/**
 * Pattern that the x402 clients use to check base64. The clients then use `atob` and `JSON.parse`. These functions
 * refuse further texts.
 */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads the challenge of a 402 response as the x402 clients do: the header of version 2 has precedence over the body of
 * version 1. An unreadable header is not ignored, because another client might read the header.
 *
 * @param response response with an unread body; the body stays readable
 */
export async function readResponseChallenge(response: Response): Promise<Challenge> {
  const header = response.headers.get('payment-required');
  if (header !== null && header !== '') return readChallengeParts(header, undefined);
  try {
    const body = await readBoundedText(response.clone().body, MAX_BODY_BYTES);
    return readChallengeParts(null, parseJson(body));
  } catch (error) {
    if (error instanceof BodyTooLargeError) return { kind: 'unreadable' };
    throw error;
  }
}

/**
 * Reads a challenge from the header `PAYMENT-REQUIRED`, or from the parsed body of a response without that header.
 *
 * @param header value of the header; null or empty text if the header is missing
 */
export function readChallengeParts(header: string | null, body: unknown): Challenge {
  if (header !== null && header !== '') return readOffers(decodeHeader(header));
  return readMember(body, 'x402Version') === undefined ? { kind: 'none' } : readOffers(body);
}

function readOffers(challenge: unknown): Challenge {
  const accepts = readMember(challenge, 'accepts');
  if (!Array.isArray(accepts)) return { kind: 'unreadable' };
  const version = readMember(challenge, 'x402Version');
  const offers = accepts.map((requirements) => readOffer(version, requirements));
  return { kind: 'offers', offers, content: challenge };
}

/**
 * Reads payment requirements. Version 1 names the amount `maxAmountRequired`, version 2 `amount`.
 *
 * @param version version that the challenge states; any value other than 1 and 2 leads to a malformed amount
 */
export function readOffer(version: unknown, requirements: unknown): Offer {
  const [scheme = '', network = '', asset = '', payTo = ''] = ['scheme', 'network', 'asset', 'payTo'].map(
    (name) => readText(requirements, name) ?? '',
  );
  const amountName = version === 1 ? 'maxAmountRequired' : 'amount';
  const amount = version === 1 || version === 2 ? readAmount(requirements, amountName) : '';
  const seconds = readMember(requirements, 'maxTimeoutSeconds');
  const lifetimeSeconds = typeof seconds === 'number' ? seconds : null;
  return { scheme, network, asset, amount, payTo, lifetimeSeconds };
}

/** Reads an amount. The version 2 client also signs an amount that is a number. */
export function readAmount(value: unknown, name: string): string {
  const amount = readMember(value, name);
  return Number.isSafeInteger(amount) ? String(amount) : (readText(value, name) ?? '');
}

/** Decodes base64 of JSON. Returns undefined for other text. */
export function decodeHeader(header: string): unknown {
  if (header.length > MAX_HEADER_CHARS || !BASE64.test(header)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0));
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Encodes an object as the headers of x402 do. */
export function encodeHeader(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
