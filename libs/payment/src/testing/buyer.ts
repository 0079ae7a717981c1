import { x402Client } from '@x402/core/client';
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { readAuthorization } from '../read-payment.ts';

const anything = z.record(z.string(), z.unknown());

/** An answer with everything that can be asserted of it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** What is sent along with a request. */
export interface Extra {
  readonly payment?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const post = async (url: string, body: unknown, { payment, headers }: Extra = {}): Promise<Reply> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(payment === undefined ? {} : { 'payment-signature': payment }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const { status, headers: answered } = response;
  const json = anything.safeParse(text === '' ? {} : JSON.parse(text));
  return { status, headers: answered, text, body: json.data ?? {} };
};

/** The challenge of an answer, as clients read it. */
export const challengeOf = ({ headers }: Reply): PaymentRequired =>
  decodePaymentRequiredHeader(headers.get('payment-required') ?? '');
export const receiptIn = ({ headers }: Reply) =>
  decodePaymentResponseHeader(headers.get('payment-response') ?? '');

/** What the stock client signs for a challenge. */
export const sign = (account: PrivateKeyAccount, challenge: PaymentRequired): Promise<PaymentPayload> =>
  registerExactEvmScheme(new x402Client().setSpendControls(false), { signer: account }).createPaymentPayload(
    challenge,
  );

export const encoded = (payload: PaymentPayload): string => encodePaymentSignatureHeader(payload);

export const nonceOf = (payload: PaymentPayload): `0x${string}` => {
  const nonce = readAuthorization(payload)?.nonce;
  if (!nonce) throw new Error('the stock client signed something else');
  return nonce;
};

/** Asks for the challenge and signs it. */
export const paymentFor = async (account: PrivateKeyAccount, url: string, body: unknown) => {
  const payload = await sign(account, challengeOf(await post(url, body)));
  return { payload, payment: encoded(payload), nonce: nonceOf(payload) };
};

/** Buys as the stock client does: one challenge, one payment. */
export const buy = async (account: PrivateKeyAccount, url: string, body: unknown): Promise<Reply> => {
  const { payment } = await paymentFor(account, url, body);
  return post(url, body, { payment });
};
