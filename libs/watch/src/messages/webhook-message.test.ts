import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createWatchSecret } from '../secrets/watch-secret.ts';
import { signMessage } from './webhook-message.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Verification of `x-signature` by the text of the interface alone: "`sha256=` followed by HMAC-SHA256 of the request
 * body. The HMAC key is the lowercase hex of SHA-256 of the secret, not the raw secret."
 */
function verifyBodySignature(secret: string, headers: Headers, body: Uint8Array): boolean {
  const key = createHash('sha256').update(secret).digest('hex');
  const expected = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const received = headers['x-signature'] ?? '';
  return received.length === expected.length && timingSafeEqual(Buffer.from(received), Buffer.from(expected));
}

describe('signMessage', () => {
  const { secret, signingKey, webhookSecret } = createWatchSecret();
  const at = Date.now();

  it('returns signatures that the library of Standard Webhooks and the text of the interface verify, for any body', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme' }), (body) => {
        const headers = signMessage({ id: 'evt_a_1', body }, signingKey, at);
        const bytes = new TextEncoder().encode(body);
        expect(new Webhook(webhookSecret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(verifyBodySignature(secret, headers, bytes)).toBe(true);
      }),
    );
  });

  it('signs the exact body, the id and the time of the attempt', () => {
    const body = '{"a":1}';
    const headers = signMessage({ id: 'evt_a_1', body }, signingKey, at);
    expect(headers).toMatchObject({
      'webhook-id': 'evt_a_1',
      'webhook-timestamp': String(Math.floor(at / 1_000)),
    });
    const later = signMessage({ id: 'evt_a_1', body }, signingKey, at + 5_000);
    expect(later['x-signature']).toBe(headers['x-signature']);
    expect(later['webhook-signature']).not.toBe(headers['webhook-signature']);
    const changes: readonly (readonly [Headers, string])[] = [
      [headers, '{"a":2}'],
      [{ ...headers, 'webhook-id': 'evt_a_2' }, body],
      [{ ...headers, 'webhook-timestamp': String(Math.floor(at / 1_000) - 1) }, body],
    ];
    for (const [changed, text] of changes)
      expect(() => new Webhook(webhookSecret).verify(text, changed)).toThrow('No matching signature');
    expect(verifyBodySignature(secret, headers, Buffer.from('{"a":2}'))).toBe(false);
    expect(verifyBodySignature(`${secret}x`, headers, Buffer.from(body))).toBe(false);
  });
});
