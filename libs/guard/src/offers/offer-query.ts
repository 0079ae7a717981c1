/** Payment option of a challenge that is paid. All values are text as in the challenge. */
export interface OfferedTerms {
  /** URL that responded with the challenge, with its query. */
  readonly url: string;
  readonly scheme: string;
  /** CAIP-2 id, or a network name of x402 version 1. */
  readonly network: string;
  readonly asset: string;
  /** Amount of the payment option in atomic units, as decimal digits: not the signed amount, which can differ. */
  readonly amount: string;
  readonly payTo: string;
}

export interface OfferQuery {
  /** Decoded challenge of the 402 response: the header of version 2, or the body of version 1. */
  readonly challenge: unknown;
  readonly terms: OfferedTerms;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Function that fetches the public keys of the resource's host. */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Result for the signed offers of a challenge (extension `offer-receipt`): the challenge has no signed offer, one offer
 * confirms the terms, no offer confirms the terms, or the keys of the signer could not be fetched.
 */
export type OfferState =
  | { readonly state: 'none' }
  /** `signer`: the recipient's address, or the id of a key that the resource's host publishes. */
  | { readonly state: 'valid'; readonly signer: string }
  | { readonly state: 'invalid' | 'unverified'; readonly message: string };

/** Verifies the signed offers of a challenge. Never rejects. */
export type VerifyOffer = (query: OfferQuery) => Promise<OfferState>;
