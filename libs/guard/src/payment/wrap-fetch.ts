import { readChallenge } from './challenge.ts';
import { PAYMENT_HEADERS, PaymentChecks, type CheckOptions } from './payment-checks.ts';

type Fetch = typeof globalThis.fetch;

/** Creates the function `wrapFetch` of a guard. */
export function createFetchWrapper(options: CheckOptions): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const checks = new PaymentChecks(options);
    return async (input, init) => {
      const url = toRequestUrl(input);
      const payments = readPaymentHeaders(input, init);
      for (const payment of payments) await checks.checkPayment(url, payment);
      const response = await fetch(input, init);
      if (response.status !== 402 || payments.length > 0 || !checks.isChecked(url, response.url))
        return response;
      try {
        await checks.checkOffers({ url, finalUrl: response.url, challenge: await readChallenge(response) });
      } catch (error) {
        // The response is not read, so its connection is released.
        void response.body?.cancel().catch(() => undefined);
        throw error;
      }
      return response;
    };
  };
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
