import { isDeepStrictEqual } from 'node:util';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client, type Network } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../../cli-error.ts';
import { readQuote, type ExpectedTerms, type Quote } from '../quote/read-quote.ts';
import type { Order, SendRequest, ServiceResponse } from '../service/send-request.ts';
import { describeProblem, ErrorResponseError } from '../service/read-problem.ts';
import type { SendResult } from './send-payment.ts';

/** Functions that the caller of `pay` provides. */
export interface PaymentSteps {
  readonly sendRequest: SendRequest;
  /** Asks the buyer to confirm a quote, before anything is signed. Throws when it is not confirmed. */
  readonly confirmQuote: (quote: Quote) => Promise<void>;
  /** Sends the order with a signed payment. */
  readonly sendPayment: (signature: string) => Promise<SendResult>;
}

/** Result of `pay`: a response that required no payment, or a quote with the result of its payment. */
export type PayResult =
  | { readonly freeResponse: ServiceResponse }
  | { readonly quote: Quote; readonly sent: SendResult };

/**
 * Requests a quote, gets it confirmed, signs the payment with the x402 reference client, and sends it. The client can
 * sign only the confirmed payment terms, and only once: a second challenge gets no signature.
 *
 * @throws CliError without a usable response, or when the quote is rejected or not confirmed
 */
export async function pay(
  order: Order,
  { account, ...expected }: ExpectedTerms & { readonly account: PrivateKeyAccount },
  { sendRequest, confirmQuote, sendPayment }: PaymentSteps,
): Promise<PayResult> {
  let quote: Quote | null = null;
  let result: PayResult | null = null;
  const handleRequest: typeof fetch = async (input, init) => {
    const { headers } = new Request(input, init);
    const signature = headers.get('payment-signature');
    if (signature !== null) {
      if (quote === null || result !== null) throw new CliError('A quote can be paid only once.');
      const sent = await sendPayment(signature);
      result = { quote, sent };
      return toFetchResponse(sent.response);
    }
    const unpaid = await requestQuote(order, sendRequest);
    if (unpaid.status === 402) {
      quote = readQuote(unpaid, expected);
      await confirmQuote(quote);
    } else result = { freeResponse: unpaid };
    return toFetchResponse(unpaid);
  };
  const client = new x402Client()
    // `readQuote` checks the price against the buyer's limit, so the one-dollar limit of the client is switched off.
    .setSpendControls({ maxAmountPerPayment: false })
    .registerPolicy((_, offers) => offers.filter((offer) => isDeepStrictEqual(offer, quote?.accepted)));
  for (const network of expected.networks) client.register(toNetwork(network), new ExactEvmScheme(account));
  await wrapFetchWithPayment(handleRequest, client)(order.url, { method: 'POST', body: order.body }).catch(
    (error: unknown) => {
      // When `result` is set, the response has arrived, so a later error of the client is ignored.
      if (result === null) throw error;
    },
  );
  return assertResult(result);
}

/** Excludes null. The compiler cannot see that a callback of the x402 client sets the result. */
function assertResult(result: PayResult | null): PayResult {
  if (result === null) throw new Error('The x402 client sent no request');
  return result;
}

async function requestQuote(order: Order, sendRequest: SendRequest): Promise<ServiceResponse> {
  const received = await sendRequest(order, new Headers());
  if ('error' in received) {
    throw new CliError(
      `No response from ${order.url.origin}: ${received.error}. Check that a Touchstone service runs there. ` +
        'Nothing was signed or charged.',
      { code: 'service-unreachable', notCharged: true },
    );
  }
  const { status } = received;
  if (status === 402 || (status >= 200 && status < 300)) return received;
  throw new ErrorResponseError(`${describeProblem(received)} Nothing was signed or charged.`, received, {
    code: 'invalid-response',
  });
}

function toNetwork(network: string): Network {
  const [namespace = '', reference = ''] = network.split(':');
  return `${namespace}:${reference}`;
}

/**
 * Converts a response for the x402 client. A missing response becomes a 503. Statuses below 200 become 200, because
 * `Response` rejects them.
 */
function toFetchResponse(response: ServiceResponse | null): Response {
  if (response === null) return new Response(null, { status: 503 });
  const { status, headers, text } = response;
  return new Response(text === '' ? null : text, { status: Math.max(200, status), headers });
}
