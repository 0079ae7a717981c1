import { readChallenge, readSignedPayment, type Offer, type SignedPayment } from './challenge.ts';
import type { Decision, ProposedPayment } from './decision.ts';
import { PaymentRefusedError } from './errors.ts';
import { isSameAddress, toCaip2 } from './networks.ts';
import { parseUrl, toResource } from './payment-terms.ts';

type Fetch = typeof globalThis.fetch;

export interface WrapperOptions {
  readonly service: URL;
  readonly check: (payment: ProposedPayment) => Promise<Decision>;
  /** Returns a decision that refuses a payment whose terms cannot be read. */
  readonly refuse: (url: string, message: string) => Decision;
}

/** Maximum number of offers of one challenge that are checked. Further ones count as refused. */
const MAX_OFFERS = 10;
/** Maximum number of URLs and offers that are remembered, because a payment of version 1 does not repeat its terms. */
const MAX_REMEMBERED_URLS = 1_000;
const MAX_REMEMBERED_OFFERS = 50;
const PAYMENT_HEADERS = ['payment-signature', 'x-payment'];

/** Creates the function `wrapFetch` of a guard. */
export function createFetchWrapper(options: WrapperOptions): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const memory = new Map<string, readonly Offer[]>();
    return async (input, init) => {
      const url = toRequestUrl(input);
      const isOwn = parseUrl(url)?.origin === options.service.origin;
      const payments = isOwn ? [] : readPaymentHeaders(input, init);
      for (const payment of payments) await checkPayment({ url, payment, memory }, options);
      const response = await fetch(input, init);
      if (response.status !== 402 || payments.length > 0) return response;
      // A redirect may lead away from the service.
      if (isOwn && (response.url === '' || parseUrl(response.url)?.origin === options.service.origin))
        return response;
      try {
        await checkOffers({ url, response, memory }, options);
      } catch (error) {
        // Nobody will read the response. Its connection is released.
        void response.body?.cancel().catch(() => undefined);
        throw error;
      }
      return response;
    };
  };
}

interface UnpaidRequest {
  readonly url: string;
  readonly response: Response;
  readonly memory: Map<string, readonly Offer[]>;
}

/** Rejects if no offer of a 402 response may be paid. The offer that is signed is checked once more. */
async function checkOffers(
  { url, response, memory }: UnpaidRequest,
  { check, refuse }: WrapperOptions,
): Promise<void> {
  const challenge = await readChallenge(response);
  if (challenge.kind === 'none') return;
  const offers = challenge.kind === 'offers' ? challenge.offers.slice(0, MAX_OFFERS) : [];
  if (offers.length === 0) {
    throw new PaymentRefusedError(refuse(url, 'The payment terms of the 402 response cannot be read.'));
  }
  remember(memory, url, offers);
  const urls = findPaidUrls(url, response);
  const decisions = await Promise.all(
    offers.map(async (offer) =>
      findAbort(await Promise.all(urls.map((each) => check({ url: each, ...offer })))),
    ),
  );
  const [refused = null] = decisions;
  if (refused !== null && !decisions.includes(null)) throw new PaymentRefusedError(refused);
}

/** Returns the requested URL, and the URL that answered after redirects: both must be payable. */
function findPaidUrls(url: string, response: Response): readonly string[] {
  const isSame = response.url === '' || toResource(response.url) === toResource(url);
  return isSame ? [url] : [url, response.url];
}

function findAbort(decisions: readonly Decision[]): Decision | null {
  return decisions.find(({ action }) => action === 'abort') ?? null;
}

interface PaidRequest {
  readonly url: string;
  /** Value of the header with the payment. */
  readonly payment: string;
  readonly memory: ReadonlyMap<string, readonly Offer[]>;
}

/** Rejects if a signed payment must not be sent. */
async function checkPayment(
  { url, payment, memory }: PaidRequest,
  { check, refuse }: WrapperOptions,
): Promise<void> {
  const signed = readSignedPayment(payment);
  const offers = signed === null ? [] : findSignedOffers(signed, memory.get(url) ?? []);
  if (offers.length === 0) {
    const message =
      'The terms of the signed payment cannot be read, or they differ from the signed transfer.';
    throw new PaymentRefusedError(refuse(url, message));
  }
  for (const offer of offers) {
    const decision = await check({ url, ...offer });
    if (decision.action === 'abort') throw new PaymentRefusedError(decision);
  }
}

/**
 * Returns the offers that a signed payment may fulfil: the accepted one of version 2, or the remembered ones of version 1
 * that agree with the signed transfer.
 */
function findSignedOffers(
  { accepted, network, transfer }: SignedPayment,
  remembered: readonly Offer[],
): readonly Offer[] {
  const candidates =
    accepted === null
      ? remembered.filter((offer) => toCaip2(offer.network) === toCaip2(network))
      : [accepted];
  if (transfer === null) return candidates;
  return candidates.filter(
    (offer) =>
      isSameAddress(toCaip2(offer.network), offer.payTo, transfer.to) && offer.amount === transfer.value,
  );
}

function remember(memory: Map<string, readonly Offer[]>, url: string, offers: readonly Offer[]): void {
  const all = [...offers, ...(memory.get(url) ?? [])].slice(0, MAX_REMEMBERED_OFFERS);
  memory.delete(url);
  memory.set(url, all);
  for (const oldest of memory.keys()) {
    if (memory.size <= MAX_REMEMBERED_URLS) return;
    memory.delete(oldest);
  }
}

function toRequestUrl(input: Parameters<Fetch>[0]): string {
  if (typeof input === 'object' && 'url' in input) return input.url;
  // A Request resolves relative URLs in browsers, as `fetch` does.
  return new Request(input).url;
}

/** Returns the payments in the headers of a request. The headers of `init` replace those of a Request. */
function readPaymentHeaders(...[input, init]: Parameters<Fetch>): readonly string[] {
  const own = typeof input === 'object' && 'headers' in input ? input.headers : undefined;
  const headers = new Headers(init?.headers ?? own);
  return PAYMENT_HEADERS.map((name) => headers.get(name)).filter((value) => value !== null);
}
