import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { z } from 'zod';
import { createWallet } from './chain.ts';

/** Path of the paid operation that the x402 conformance tests buy. */
export const SALE_PATH = '/v1/x402-trust';
const BODY = { resource: 'https://fxline.sandbox.test/v1/rates/latest' };
/** Initial balance of the payer: 1 USDC in atomic units. */
const BALANCE = 1_000_000n;

/** Standard x402 client. It decodes the headers of the service. */
const decoder = new x402HTTPClient(new x402Client());

const paymentSchema = z.looseObject({
  payload: z.object({
    signature: z.string().regex(/^0x[0-9a-f]{130}$/),
    /** EIP-3009 authorization. Numbers are decimal strings. */
    authorization: z.record(z.string(), z.string()),
  }),
});
/** Payment of x402 version 2 with the scheme `exact` on an EVM network. */
export type ExactPayment = z.infer<typeof paymentSchema>;
/** Challenge of the paid operation, and a new wallet that can pay it. */
export type Sale = Awaited<ReturnType<typeof openSale>>;

/** Encodes a value as JSON in base64, the format of x402 headers. */
export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Decodes the challenge in the header of a response. Throws if the response has no challenge. */
export const readChallenge = ({ headers }: Response) =>
  decoder.getPaymentRequiredResponse((name) => headers.get(name));

/** Decodes the receipt in the header of a response. Throws if the response has no receipt. */
export const readReceipt = ({ headers }: Response) =>
  decoder.getPaymentSettleResponse((name) => headers.get(name));

interface SendOptions {
  /** Request body; null for a request without a body. */
  readonly body?: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request to the paid operation.
 *
 * @param payment payment to encode, or the value of the payment header as text
 */
export const send = (
  payment?: object | string,
  { body = BODY, headers = {} }: SendOptions = {},
): Promise<Response> =>
  fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${SALE_PATH}`, {
    method: 'POST',
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(payment === undefined
        ? {}
        : { 'payment-signature': typeof payment === 'string' ? payment : encode(payment) }),
      ...headers,
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });

/** Requests a challenge of the shared service, and creates a wallet with USDC on the network of the challenge. */
export async function openSale() {
  const { accepts, resource, extensions } = readChallenge(await send(undefined, { body: null }));
  const [terms] = accepts;
  if (terms === undefined) throw new Error('The challenge has no payment option.');
  const payer = await createWallet(BALANCE, { [terms.network]: terms.asset });
  /**
   * Signs a payment with a new nonce. The members of `change` replace payment terms in the signed data, but not in the
   * member `accepted`.
   */
  const sign = async (change: Partial<typeof terms> = {}): Promise<ExactPayment> => {
    const { payload } = await new ExactEvmScheme(payer).createPaymentPayload(2, { ...terms, ...change });
    return paymentSchema.parse({ x402Version: 2, resource, accepted: terms, payload, extensions });
  };
  return { terms, payer, sign };
}
