import type { Challenge, Offer } from './challenge.ts';
import { findSignedOffers, readSignedPayment } from './signed-payment.ts';
import { type Decision, PaymentRefusedError } from '../decision/decision.ts';
import type { AllowedPayment, ResponseFacts } from '../outcome/outcome.ts';
import { type ProposedPayment, parseHttpUrl, toResource } from '../payment-terms.ts';

export interface CheckOptions {
  readonly service: URL;
  readonly check: (payment: ProposedPayment) => Promise<Decision>;
  /** Returns a decision that refuses a payment whose terms cannot be read. */
  readonly refuse: (url: string, message: string) => Decision;
  /** Receives the response to each allowed payment; null without a response. Never throws. */
  readonly onResponse: (payment: AllowedPayment, response: ResponseFacts | null) => void;
}

/** 402 response to a request without a payment. */
export interface UnpaidResponse {
  /** Requested URL. */
  readonly url: string;
  /** URL that responded, after redirects; empty text for an unknown URL. */
  readonly finalUrl: string;
  readonly challenge: Challenge;
}

/** Names of the request headers that carry a payment. */
export const PAYMENT_HEADERS = ['payment-signature', 'x-payment'];
/** Maximum number of checked offers in one challenge. Further offers count as refused. */
const MAX_OFFERS = 10;
/**
 * Maximum number of different recipients in one challenge. Each recipient costs a request to Touchstone, so a seller
 * could otherwise use up the payer's rate limit.
 */
const MAX_RECIPIENTS = 3;
/**
 * Maximum number of URLs whose offers are remembered. Offers are remembered, because a payment of x402 version 1 does
 * not repeat its terms.
 */
const MAX_REMEMBERED_URLS = 1_000;
const MAX_REMEMBERED_OFFERS = 50;

interface Remembered {
  readonly offers: readonly Offer[];
  /** Requested URL, and the URL that responded after redirects. */
  readonly urls: readonly string[];
}

/** Checks of the requests and responses of one HTTP client, for the URLs that the client really requests. */
export class PaymentChecks {
  readonly #options: CheckOptions;
  readonly #memory = new Map<string, Remembered>();

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /** Returns false for a payment to the Touchstone service itself. `finalUrl` must also be a URL of the service. */
  isChecked(url: string, finalUrl = ''): boolean {
    const { origin } = this.#options.service;
    const isOwn = (text: string) => parseHttpUrl(text)?.origin === origin;
    return !isOwn(url) || (finalUrl !== '' && !isOwn(finalUrl));
  }

  /**
   * Rejects if the policy refuses all offers of a 402 response. `checkPayment` checks the signed offer again.
   *
   * @throws PaymentRefusedError
   */
  async checkOffers({ url, finalUrl, challenge }: UnpaidResponse): Promise<void> {
    const { check, refuse } = this.#options;
    if (challenge.kind === 'none') return;
    const offers = challenge.kind === 'offers' ? selectOffers(challenge.offers) : [];
    if (offers.length === 0) {
      throw new PaymentRefusedError(refuse(url, 'The payment terms of the 402 response cannot be read.'));
    }
    const urls = findPaidUrls(url, finalUrl);
    this.#remember(url, { offers, urls });
    const decisions = await Promise.all(
      offers.map(async (offer) =>
        findAbort(await Promise.all(urls.map((each) => check({ url: each, ...offer })))),
      ),
    );
    const [refused = null] = decisions;
    if (refused !== null && !decisions.includes(null)) throw new PaymentRefusedError(refused);
  }

  /**
   * Rejects if a signed payment must not be sent. Resolves to null for a payment to the Touchstone service itself.
   *
   * @param url requested URL
   * @param payment value of the header with the payment
   * @throws PaymentRefusedError
   */
  async checkPayment(url: string, payment: string): Promise<AllowedPayment | null> {
    if (!this.isChecked(url)) return null;
    const { check, refuse } = this.#options;
    const signed = readSignedPayment(payment);
    const remembered = this.#memory.get(url);
    const offers = signed === null ? [] : findSignedOffers(signed, remembered?.offers ?? []);
    if (signed === null || offers.length === 0) {
      const message =
        'The terms of the signed payment cannot be read, or they differ from the signed transfer.';
      throw new PaymentRefusedError(refuse(url, message));
    }
    let allowed: AllowedPayment | null = null;
    for (const offer of offers) {
      for (const each of remembered?.urls ?? [url]) {
        const decision = await check({ url: each, ...offer });
        if (decision.action === 'abort') throw new PaymentRefusedError(decision);
        allowed = { signed, decision };
      }
    }
    return allowed;
  }

  #remember(url: string, { offers, urls }: Remembered): void {
    const earlier = this.#memory.get(url)?.offers ?? [];
    this.#memory.delete(url);
    this.#memory.set(url, { offers: [...offers, ...earlier].slice(0, MAX_REMEMBERED_OFFERS), urls });
    for (const oldest of this.#memory.keys()) {
      if (this.#memory.size <= MAX_REMEMBERED_URLS) return;
      this.#memory.delete(oldest);
    }
  }
}

function selectOffers(offers: readonly Offer[]): readonly Offer[] {
  const recipients = [...new Set(offers.map(({ payTo }) => payTo.toLowerCase()))].slice(0, MAX_RECIPIENTS);
  return offers.filter(({ payTo }) => recipients.includes(payTo.toLowerCase())).slice(0, MAX_OFFERS);
}

/**
 * Returns the requested URL, and the URL that responded after redirects. The policy must allow payments to both URLs.
 */
function findPaidUrls(url: string, finalUrl: string): readonly string[] {
  return finalUrl === '' || toResource(finalUrl) === toResource(url) ? [url] : [url, finalUrl];
}

function findAbort(decisions: readonly Decision[]): Decision | null {
  return decisions.find(({ action }) => action === 'abort') ?? null;
}
