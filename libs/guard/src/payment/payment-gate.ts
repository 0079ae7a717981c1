import { type Challenge, type Offer, readChallengeParts } from './challenge.ts';
import { type Decision, PaymentRefusedError } from '../decision/decision.ts';
import { type PaidResponse, readDelivery } from '../outcome/outcome.ts';
import { type ProposedPayment, parseHttpUrl, toResource } from '../payment-terms.ts';
import { removeOldest } from '../remove-oldest.ts';
import type { AllowedPayment, CheckedPayment, PaymentBook } from './payment-book.ts';
import type { PaidRequest } from './request-key.ts';
import { findSignedOffers, readSignedPayment, type SignedTransfer } from './signed-payment.ts';

export interface GateOptions {
  readonly service: URL;
  /**
   * Decides on the terms of a payment. `challenge`: decoded challenge; null if it is not known, and undefined for a URL
   * that redirected.
   */
  readonly check: (payment: ProposedPayment, challenge: object | null | undefined) => Promise<Decision>;
  /** Returns a decision that refuses a payment whose terms cannot be read. */
  readonly refuse: (url: string, message: string) => Decision;
  readonly book: PaymentBook;
  /**
   * True for hooks of an x402 client: the URL may be a claim of the seller, so also a URL of the service is checked, and the
   * guard cannot replace a payment.
   */
  readonly isHook?: boolean;
  readonly now: () => number;
  /** Receives the response to each payment that was sent. Never throws. */
  readonly onResponse: (payment: AllowedPayment, response: PaidResponse) => void;
}

/** 402 response to a request without a payment. */
export interface UnpaidResponse {
  readonly method: string;
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
  /** Latest challenge; null if none is known. */
  readonly challenge: object | null;
  /** Requested URL, and the URL that responded after redirects. */
  readonly urls: readonly string[];
}

/**
 * Gate between a client and its sellers: each 402 response and each payment passes it, for the URLs that the client
 * really requests.
 */
export class PaymentGate {
  readonly #options: GateOptions;
  readonly #memory = new Map<string, Remembered>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Returns false for a payment to the Touchstone service itself. `finalUrl` must also be a URL of the service. */
  isChecked(url: string, finalUrl = ''): boolean {
    const { origin } = this.#options.service;
    if (this.#options.isHook === true) return true;
    const isOwn = (text: string) => parseHttpUrl(text)?.origin === origin;
    return !isOwn(url) || (finalUrl !== '' && !isOwn(finalUrl));
  }

  /**
   * Rejects if the policy refuses all offers of a 402 response. `authorize` checks the signed offer again.
   *
   * @throws PaymentRefusedError
   */
  async checkOffers({ url, method, finalUrl, challenge }: UnpaidResponse): Promise<void> {
    const { check, refuse } = this.#options;
    if (challenge.kind === 'none') return;
    const offers = challenge.kind === 'offers' ? selectOffers(challenge.offers) : [];
    if (challenge.kind === 'unreadable' || offers.length === 0) {
      throw new PaymentRefusedError(refuse(url, 'The payment terms of the 402 response cannot be read.'));
    }
    const urls = findPaidUrls(url, finalUrl);
    const document = toObject(challenge.content);
    this.#remember(url, { offers, challenge: document, urls });
    const decisions = await Promise.all(
      offers.map(async (offer) =>
        findAbort(
          await Promise.all(
            urls.map((each) => check({ url: each, ...offer }, each === urls.at(-1) ? document : undefined)),
          ),
        ),
      ),
    );
    const [refused = null] = decisions;
    if (refused !== null && !decisions.includes(null)) await this.#refuse(refused, method);
  }

  /**
   * Remembers the challenge of a request that another client made.
   *
   * @param source header `PAYMENT-REQUIRED`, or the parsed body of version 1
   */
  learnChallenge(url: string, source: string | object): void {
    const challenge =
      typeof source === 'string' ? readChallengeParts(source, undefined) : readChallengeParts(null, source);
    if (challenge.kind !== 'offers') return;
    this.#remember(url, {
      offers: selectOffers(challenge.offers),
      challenge: toObject(challenge.content),
      urls: [url],
    });
  }

  /**
   * Records a signed payment and returns the payment to send, which is an earlier payment of the same request if that
   * payment can still be settled. Resolves to null for a payment to the Touchstone service itself.
   *
   * @param payment header with the payment
   * @throws PaymentRefusedError
   */
  async authorize(request: PaidRequest, payment: string): Promise<AllowedPayment | null> {
    if (!this.isChecked(request.url)) return null;
    const checked = await this.#check(request, payment);
    return this.#options.book.reserve(checked, request, this.#options.isHook !== true);
  }

  /**
   * Checks a signed payment without recording it.
   *
   * @throws PaymentRefusedError
   */
  async #check({ url, method }: PaidRequest, header: string): Promise<CheckedPayment> {
    const { check, refuse, now } = this.#options;
    const signed = readSignedPayment(header);
    const remembered = this.#memory.get(url);
    const offers = signed === null ? [] : findSignedOffers(signed, remembered?.offers ?? []);
    const challenge = remembered?.challenge ?? null;
    let decision: Decision | null = null;
    for (const offer of offers) {
      const urls = remembered?.urls ?? [url];
      for (const each of urls) {
        const payment = { url: each, ...offer, ...toSigned(signed?.transfer ?? null, now()) };
        decision = await check(payment, each === urls.at(-1) ? challenge : undefined);
        if (decision.action === 'abort') await this.#refuse(decision, method);
      }
    }
    if (signed === null || decision === null) {
      const message = 'The terms of the signed payment cannot be read, or they differ from what was signed.';
      throw new PaymentRefusedError(refuse(url, message));
    }
    return {
      decision,
      signed,
      header,
      challenge: challenge === null ? null : JSON.stringify(challenge, cutQuery),
    };
  }

  /**
   * Reports and records the response to an allowed payment. Never rejects. The response need not wait for the record: the
   * next payment does.
   */
  async record(payment: AllowedPayment, response: PaidResponse): Promise<void> {
    // A seller who settled the payment before may rightly refuse it, so a failure says nothing about the seller.
    const isUncertain = payment.isResent && readDelivery(response) === false;
    this.#options.onResponse(payment, isUncertain ? null : response);
    await this.#options.book.record(payment.id, response);
  }

  async #refuse(decision: Decision, method: string): Promise<never> {
    await this.#options.book.recordRefusal(decision, { method });
    throw new PaymentRefusedError(decision);
  }

  #remember(url: string, { offers, challenge, urls }: Remembered): void {
    const earlier = this.#memory.get(url)?.offers ?? [];
    this.#memory.delete(url);
    this.#memory.set(url, {
      offers: [...offers, ...earlier].slice(0, MAX_REMEMBERED_OFFERS),
      ...{ challenge, urls },
    });
    removeOldest(this.#memory, MAX_REMEMBERED_URLS);
  }
}

/** Removes query and fragment of the paid URL, which the challenge repeats, because they may contain secrets of the payer. */
function cutQuery(name: string, value: unknown): unknown {
  const isUrl = name === 'url' || name === 'resource';
  return isUrl && typeof value === 'string' ? value.replace(/[?#].*$/s, '') : value;
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

function toObject(value: unknown): object | null {
  return typeof value === 'object' ? value : null;
}

/** Returns the values of a payment that its signature decides: the amount, and the time for which it can be settled. */
function toSigned(
  transfer: SignedTransfer | null,
  now: number,
): Pick<ProposedPayment, 'signedAmount' | 'lifetimeSeconds'> {
  if (transfer === null) return {};
  const { amount, validBefore } = transfer;
  return {
    signedAmount: amount,
    lifetimeSeconds: validBefore === null ? null : Number(validBefore) - Math.floor(now / 1_000),
  };
}
