import { quote, readMember, readText } from '@touchstone/x402/json';
import { toCaip2 } from '@touchstone/x402/networks';
import { isSameAddress, parseHttpUrl } from '../payment-terms.ts';
import { findHostKeys } from './host-keys.ts';
import { parseOffer, type ParsedOffer } from './offer-signature.ts';
import type { OfferedTerms, OfferQuery, OfferState, VerifyOffer } from './offer-query.ts';
import { toRecipientKey, type SigningKey } from './signing-key.ts';

export type { OfferedTerms, OfferQuery, OfferState, VerifyOffer } from './offer-query.ts';

/** Maximum number of signed offers that are read of one challenge. */
const MAX_OFFERS = 20;

/**
 * Verifies that a signed offer of a challenge confirms the terms that are paid. The signer must be the recipient, or a
 * key in the DID document (did:web) of the resource's host. The document is fetched only if the recipient is not the
 * signer.
 */
export const verifyOffer: VerifyOffer = async (query) => {
  const offers = readMember(
    readMember(readMember(readMember(query.challenge, 'extensions'), 'offer-receipt'), 'info'),
    'offers',
  );
  if (!Array.isArray(offers) || offers.length === 0) return { state: 'none' };
  const parsed = offers.slice(0, MAX_OFFERS).flatMap((offer) => parseOffer(offer) ?? []);
  if (parsed.length === 0) return fail('It has no readable signature in the format eip712 or jws.');
  const mismatches = parsed.map(({ payload }) => findMismatch(payload, query.terms));
  const matching = parsed.filter((_offer, index) => mismatches[index] === null);
  if (matching.length === 0) return fail(mismatches.find((text) => text !== null) ?? '');
  const current = matching.filter(({ payload }) => !isExpired(payload, query.now));
  if (current.length > 0) return verifySigner(current, query);
  const validUntil = quote(readMember(matching[0]?.payload, 'validUntil'));
  return fail(`It expired at ${validUntil}; the time is ${String(toSeconds(query.now))} (Unix seconds).`);
};

function fail(reason: string): OfferState {
  return { state: 'invalid', message: `The signed offer does not confirm this payment. ${reason}` };
}

/** Returns a sentence with the first member of an offer that differs from the terms; null if the terms agree. */
function findMismatch(payload: unknown, terms: OfferedTerms): string | null {
  const network = toCaip2(terms.network);
  const isSame = (offered: string, paid: string) => isSameAddress(network, offered, paid);
  const members: readonly (readonly [string, string, (offered: string, paid: string) => boolean])[] = [
    ['resourceUrl', terms.url, isSameUrl],
    ['scheme', terms.scheme, Object.is],
    ['network', network, (offered) => toCaip2(offered) === network],
    ['asset', terms.asset, isSame],
    ['payTo', terms.payTo, isSame],
    ['amount', terms.amount, Object.is],
  ];
  const version = readMember(payload, 'version');
  if (version !== 1) return `Its version must be 1; received ${quote(version)}.`;
  for (const [name, paid, compare] of members) {
    const offered = readText(payload, name);
    if (offered === null || !compare(offered, paid))
      return `Its ${name} is ${quote(readMember(payload, name))}, but the payment is for ${quote(paid)}.`;
  }
  return null;
}

/**
 * Returns true for an offer of the requested URL. Behind a proxy that ends TLS, a server states its own URL with http.
 * An offer without a query is for all queries of a URL.
 */
function isSameUrl(offered: string, requested: string): boolean {
  const [left, right] = [parseHttpUrl(offered), parseHttpUrl(requested)];
  if (left === null || right === null) return offered === requested;
  return (
    left.host === right.host &&
    left.pathname === right.pathname &&
    (left.protocol === right.protocol || left.protocol === 'http:') &&
    (left.search === '' || left.search === right.search)
  );
}

function toSeconds(now: number): number {
  return Math.floor(now / 1_000);
}

/** Returns true after the end of an offer. Zero and a missing end mean no end (section 4.3 of the extension). */
function isExpired(payload: unknown, now: number): boolean {
  const validUntil = readMember(payload, 'validUntil') ?? 0;
  return validUntil !== 0 && !(typeof validUntil === 'number' && validUntil > toSeconds(now));
}

async function verifySigner(
  offers: readonly ParsedOffer[],
  { terms, fetch }: OfferQuery,
): Promise<OfferState> {
  const recipient = toRecipientKey(toCaip2(terms.network), terms.payTo);
  const byRecipient = await findSigner(offers, recipient === null ? [] : [recipient]);
  if (byRecipient !== null) return { state: 'valid', signer: byRecipient };
  const published = await findHostKeys(terms.url, fetch);
  const byHost = await findSigner(offers, published.keys);
  if (byHost !== null) return { state: 'valid', signer: byHost };
  const signer = quote(offers[0]?.signer);
  if (published.isUnknown) {
    const message = `The signed offer could not be verified: its signer ${signer} is not the recipient, and the keys of the host could not be fetched. ${published.source}`;
    return { state: 'unverified', message };
  }
  return fail(
    `Its signer ${signer} is neither the recipient nor a key that the host publishes. ${published.source}`,
  );
}

/** Returns the id of the key that signed one of the offers; null if none of the keys did. */
async function findSigner(
  offers: readonly ParsedOffer[],
  keys: readonly SigningKey[],
): Promise<string | null> {
  for (const offer of offers) {
    for (const key of keys) if (await offer.isSignedBy(key)) return key.id;
  }
  return null;
}
