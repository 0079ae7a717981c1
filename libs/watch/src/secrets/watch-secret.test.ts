import { createHash } from 'node:crypto';
import { watchIdSchema } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWatchSecret, verifySecret, toSecretHash } from './watch-secret.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('createWatchSecret', () => {
  it('returns values in the formats of the interface', () => {
    const { id, secret, signingKey, secretHash, webhookSecret } = createWatchSecret();
    expect(watchIdSchema.safeParse(id).success).toBe(true);
    expect(secret).toMatch(/^wsk_[A-Za-z0-9_-]{43}$/);
    expect(signingKey).toBe(sha256(secret));
    expect(secretHash).toBe(sha256(sha256(secret)));
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{86}==$/);
    expect(Buffer.from(webhookSecret.slice('whsec_'.length), 'base64').toString()).toBe(signingKey);
  });

  it('returns other values each time', () => {
    const created = Array.from({ length: 1_000 }, createWatchSecret);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1_000);
    expect(new Set(created.map(({ secret }) => secret)).size).toBe(1_000);
    // Every character of the alphabet occurs in 1,000 ids, so no bits of the random bytes are lost.
    expect(new Set(created.map(({ id }) => id.slice(2, -1)).join('')).size).toBe(32);
  });
});

describe('verifySecret', () => {
  it('accepts the secret of the hash only', () => {
    const { secret, secretHash, signingKey } = createWatchSecret();
    expect(verifySecret(secret, secretHash)).toBe(true);
    expect(toSecretHash(secret)).toBe(secretHash);
    // A leaked database contains the hash. It also reveals the signing key if the encryption keys leaked too. Neither
    // value works as the secret.
    expect(verifySecret(secretHash, secretHash)).toBe(false);
    expect(verifySecret(signingKey, secretHash)).toBe(false);
  });

  it('rejects any other text, and any text without a watch', () => {
    const { secret, secretHash } = createWatchSecret();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text !== secret);
        expect(verifySecret(text, secretHash)).toBe(false);
        expect(verifySecret(text, null)).toBe(false);
        expect(verifySecret(`${secret}${text || ' '}`, secretHash)).toBe(false);
      }),
    );
    expect(verifySecret(secret, null)).toBe(false);
    expect(verifySecret('', '')).toBe(false);
  });
});
