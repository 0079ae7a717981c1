import { BodyTooLargeError, isJsonObject, parseJson, readBoundedText } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import type { ProposedPayment } from '../payment-terms.ts';

/** Payment option in a challenge. Malformed values are empty text. */
export type Offer = Omit<ProposedPayment, 'url'>;

/** Content of a 402 response: no x402 challenge, a challenge that cannot be read, or its payment options. */
export type Challenge =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'offers'; readonly offers: readonly Offer[] };

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
  return { kind: 'offers', offers: accepts.map((requirements) => readOffer(version, requirements)) };
}

/**
 * Reads payment requirements. Version 1 names the amount `maxAmountRequired`, version 2 `amount`.
 *
 * @param version version that the challenge states; any value other than 1 and 2 leads to a malformed amount
 */
export function readOffer(version: unknown, requirements: unknown): Offer {
  const [network, asset, payTo] = ['network', 'asset', 'payTo'].map(
    (name) => readText(requirements, name) ?? '',
  );
  const amountName = version === 1 ? 'maxAmountRequired' : 'amount';
  const amount = version === 1 || version === 2 ? readAmount(requirements, amountName) : '';
  return { network: network ?? '', asset: asset ?? '', amount, payTo: payTo ?? '' };
}

/** Payment in the header of a request. */
export interface SignedPayment {
  /** Accepted payment requirements; null in version 1, because version 1 does not repeat the requirements. */
  readonly accepted: Offer | null;
  readonly network: string;
  /**
   * Signed values of a transfer with authorization (EIP-3009) in the scheme `exact`; null for another kind of payment. In
   * other schemes, the transfer goes to a contract first. A missing value is empty text.
   */
  readonly transfer: {
    readonly from: string;
    readonly to: string;
    readonly value: string;
    readonly nonce: string;
  } | null;
}

/** Reads the header `PAYMENT-SIGNATURE` or `X-PAYMENT`. Returns null for an unreadable header. */
export function readSignedPayment(header: string): SignedPayment | null {
  const payment = decodeHeader(header);
  const version = readMember(payment, 'x402Version');
  const accepted = version === 1 ? null : readMember(payment, 'accepted');
  if (version !== 1 && (version !== 2 || !isJsonObject(accepted))) return null;
  const terms = accepted ?? payment;
  return {
    accepted: accepted === null ? null : readOffer(version, accepted),
    network: readText(terms, 'network') ?? '',
    transfer: readText(terms, 'scheme') === 'exact' ? readTransfer(readMember(payment, 'payload')) : null,
  };
}

function readTransfer(payload: unknown): SignedPayment['transfer'] {
  const authorization = readMember(payload, 'authorization');
  if (authorization === undefined) return null;
  const [from, to, nonce] = ['from', 'to', 'nonce'].map((name) => readText(authorization, name) ?? '');
  return { from: from ?? '', to: to ?? '', value: readAmount(authorization, 'value'), nonce: nonce ?? '' };
}

/** Reads an amount. The version 2 client also signs an amount that is a number. */
function readAmount(value: unknown, name: string): string {
  const amount = readMember(value, name);
  return Number.isSafeInteger(amount) ? String(amount) : (readText(value, name) ?? '');
}

/** Decodes base64 of JSON. Returns undefined for other text. */
function decodeHeader(header: string): unknown {
  if (header.length > MAX_HEADER_CHARS || !BASE64.test(header)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0));
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
