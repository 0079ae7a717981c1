import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Message to a webhook. */
export interface SignedMessage {
  /** Id of the message, the same in every attempt. */
  readonly id: string;
  /** Exact text of the body. */
  readonly body: string;
}

/**
 * Returns the headers of one attempt to deliver a message: the signature of the body, and the headers of Standard
 * Webhooks, whose signature also covers the id and the time. Both are keyed by the characters of the signing key.
 *
 * @param at time of the attempt, in milliseconds since the epoch
 */
export function signMessage(
  { id, body }: SignedMessage,
  signingKey: string,
  at: number,
): Readonly<Record<string, string>> {
  const webhook = new Webhook(signingKey, { format: 'raw' });
  return {
    'x-signature': `sha256=${createHmac('sha256', signingKey).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': webhook.sign(id, new Date(at), body),
  };
}
