import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient, HttpReply } from '../../../apps/web-e2e/support/attacks/http-client.ts';
import type { Payer, Purchase } from '../../../apps/web-e2e/support/attacks/payer.ts';

/** Time for which a buyer repeats a request. It is shorter than the validity of a payment, in milliseconds. */
const REPEAT_MS = 240_000;
const REPEAT_PAUSE_MS = 1_000;
/** Statuses after which a buyer sends the same request with the same payment again. */
const REPEATED_STATUSES = new Set([409, 429, 500, 502, 503, 504]);

/** Signed payment, with the result of its last request. */
export interface SignedPurchase {
  readonly purchase: Purchase;
  readonly headers: Readonly<Record<string, string>>;
  /** Nonce of the authorization, in lower case. */
  readonly nonce: string;
  /** Number of requests with this payment. */
  requests: number;
  /** Status of the last response; null if the last request got none. */
  status: number | null;
  /** Hash of the transaction in the receipt; null without a receipt. */
  transaction: string | null;
}

function readNonce(headers: Readonly<Record<string, string>>): string {
  const [value = ''] = Object.values(headers);
  // The payment was created by `createPayer`, so the cast is safe.
  const payment = JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as {
    payload: { authorization: { nonce: string } };
  };
  return payment.payload.authorization.nonce.toLowerCase();
}

function readTransaction(reply: HttpReply): string | null {
  const receipt = reply.header('payment-response');
  if (receipt === '') return null;
  // The books compare this value with the chain, so a wrong shape is reported as a mismatch.
  const { transaction = '' } = JSON.parse(Buffer.from(receipt, 'base64').toString('utf8')) as {
    transaction?: string;
  };
  return transaction === '' ? null : transaction.toLowerCase();
}

/** Sends the request of a purchase once and records the result. */
async function sendOnce(client: HttpClient, signed: SignedPurchase): Promise<void> {
  signed.requests += 1;
  try {
    const { purchase, headers } = signed;
    const signal = AbortSignal.timeout(60_000);
    const reply = await client.send({ method: 'POST', ...purchase, headers, signal });
    signed.status = reply.status;
    signed.transaction = readTransaction(reply) ?? signed.transaction;
  } catch {
    // A part of the service was killed, so the connection was closed or refused.
    signed.status = null;
  }
}

/** Returns true if the outcome of a purchase is not known, or it can still succeed. */
export const isOpen = ({ status }: SignedPurchase): boolean =>
  status === null || REPEATED_STATUSES.has(status);

/** Repeats a request with the same payment until its outcome is known. */
export async function completePurchase(client: HttpClient, signed: SignedPurchase): Promise<void> {
  const deadline = performance.now() + REPEAT_MS;
  for (;;) {
    await sendOnce(client, signed);
    if (!isOpen(signed) || performance.now() > deadline) return;
    await sleep(REPEAT_PAUSE_MS);
  }
}

/** Signs a payment. Returns null if the service sends no challenge. */
export async function signPurchase(
  client: HttpClient,
  payer: Payer,
  purchase: Purchase,
): Promise<SignedPurchase | null> {
  try {
    const [headers] = await payer.sign(client, purchase, 1);
    if (headers === undefined) return null;
    return { purchase, headers, nonce: readNonce(headers), requests: 0, status: null, transaction: null };
  } catch {
    return null;
  }
}
