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
import { readAuthorization } from '../request/read-payment.ts';

const objectSchema = z.record(z.string(), z.unknown());

/** A response with its parsed body. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Optional parts of a request. */
export interface RequestExtras {
  readonly payment?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function post(
  url: string,
  body: unknown,
  { payment, headers }: RequestExtras = {},
): Promise<Reply> {
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
  const { status, headers: responseHeaders } = response;
  const json = objectSchema.safeParse(text === '' ? {} : JSON.parse(text));
  return { status, headers: responseHeaders, text, body: json.data ?? {} };
}

export function readChallengeHeader({ headers }: Pick<Reply, 'headers'>): PaymentRequired {
  return decodePaymentRequiredHeader(headers.get('payment-required') ?? '');
}
export function readReceiptHeader({ headers }: Pick<Reply, 'headers'>) {
  return decodePaymentResponseHeader(headers.get('payment-response') ?? '');
}

/** Signs a challenge with the standard x402 client. */
export function sign(account: PrivateKeyAccount, challenge: PaymentRequired): Promise<PaymentPayload> {
  return registerExactEvmScheme(new x402Client().setSpendControls(false), {
    signer: account,
  }).createPaymentPayload(challenge);
}

export function encodePayment(payload: PaymentPayload): string {
  return encodePaymentSignatureHeader(payload);
}

export function readNonce(payload: PaymentPayload): `0x${string}` {
  const nonce = readAuthorization(payload)?.nonce;
  if (!nonce) throw new Error('the stock client signed no EIP-3009 authorization');
  return nonce;
}

export async function createPayment(account: PrivateKeyAccount, url: string, body: unknown) {
  const payload = await sign(account, readChallengeHeader(await post(url, body)));
  return { payload, payment: encodePayment(payload), nonce: readNonce(payload) };
}

/** Buys like the standard x402 client: requests one challenge and sends one payment. */
export async function buy(account: PrivateKeyAccount, url: string, body: unknown): Promise<Reply> {
  const { payment } = await createPayment(account, url, body);
  return post(url, body, { payment });
}
