import { isDeepStrictEqual } from 'node:util';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client, type Network } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../cli-error.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Order } from './order.ts';
import { problemWords } from './problem.ts';
import { readQuote, type Expected, type Quote } from './quote.ts';
import type { Sent } from './send-paid.ts';

/** How a purchase goes on at its turning points. */
export interface Steps {
  readonly exchange: Exchange;
  /** Is asked before anything is signed; throws when nobody agrees. */
  readonly agree: (quote: Quote) => Promise<void>;
  /** Sends the order with a signed payment. */
  readonly deliver: (signature: string) => Promise<Sent>;
}

/** What came of it: nothing had to be paid, or the payment was sent. */
export type Paid = { readonly free: Answer } | { readonly quote: Quote; readonly sent: Sent };

/**
 * Asks, has the quote agreed to, signs it and sends it with x402's own client. Only the terms that were agreed to are
 * signed, once: an answer that asks for more, or for it again, gets no second signature.
 *
 * @throws CliError when it cannot be asked, or the quote is refused or not agreed to
 */
export async function pay(
  order: Order,
  { account, ...expected }: Expected & { readonly account: PrivateKeyAccount },
  { exchange, agree, deliver }: Steps,
): Promise<Paid> {
  let quote: Quote | null = null;
  let paid: Paid | null = null;
  const step: typeof fetch = async (input, init) => {
    const { headers } = new Request(input, init);
    const signature = headers.get('payment-signature');
    if (signature !== null) {
      if (quote === null || paid !== null) throw new CliError('One quote is paid once.');
      const sent = await deliver(signature);
      paid = { quote, sent };
      return responseOf(sent.answer);
    }
    const asked = await ask(order, exchange);
    if (asked.status === 402) {
      quote = readQuote(asked, expected);
      await agree(quote);
    } else paid = { free: asked };
    return responseOf(asked);
  };
  const client = new x402Client()
    .register(networkOf(expected.network), new ExactEvmScheme(account))
    // The quote was held against the limit already; that of the client is at a dollar, whatever was agreed to.
    .setSpendControls({ maxAmountPerPayment: false })
    .registerPolicy((_, offers) => offers.filter((offer) => isDeepStrictEqual(offer, quote?.accepted)));
  await wrapFetchWithPayment(step, client)(order.url, { method: 'POST', body: order.body }).catch(
    (error: unknown) => {
      // What the client makes of the answer to a payment does not matter: the answer is here.
      if (paid === null) throw error;
    },
  );
  return done(paid);
}

/** It is set from within the client, which the compiler cannot see. */
function done(paid: Paid | null): Paid {
  if (paid === null) throw new Error('the client neither asked nor paid');
  return paid;
}

async function ask(order: Order, exchange: Exchange): Promise<Answer> {
  const asked = await exchange(order, new Headers());
  if ('lost' in asked) {
    throw new CliError(
      `${order.url.origin} cannot be asked: ${asked.lost}. Is it the address of a Touchstone service that runs? ` +
        'Nothing was signed or charged.',
    );
  }
  const { status } = asked;
  if (status === 402 || (status >= 200 && status < 300)) return asked;
  throw new CliError(`${problemWords(asked)} Nothing was signed or charged.`);
}

function networkOf(network: string): Network {
  const [namespace = '', reference = ''] = network.split(':');
  return `${namespace}:${reference}`;
}

/** A status that cannot have a body is not one of an answer that was bought. */
function responseOf(answer: Answer | null): Response {
  if (answer === null) return new Response(null, { status: 503 });
  const { status, headers, text } = answer;
  return new Response(text === '' ? null : text, { status: Math.max(200, status), headers });
}
