import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { CompactEncrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createCipher, parseWatchKeys } from './cipher.ts';

const createKey = (): string => randomBytes(32).toString('base64url');

describe('a cipher', () => {
  const key = createKey();
  const cipher = createCipher([key]);

  it('decrypts every text that it encrypted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3_000 }), async (text) => {
        const jwe = await cipher.encrypt(text);
        expect(await cipher.decrypt(jwe)).toBe(text);
        expect(await cipher.encrypt(text)).not.toBe(jwe);
        if (text.length > 20) expect(jwe).not.toContain(text);
      }),
    );
    const withMark = '\ufeffhttps://hooks.example/';
    expect(await cipher.decrypt(await cipher.encrypt(withMark))).toBe(withMark);
  });

  it('rejects a text of which any character was changed or removed', async () => {
    const jwe = await cipher.encrypt('https://hooks.slack.com/services/T1/B2/secret');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(jwe.length - 1),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.'),
        async (at, character) => {
          // The last character of a part may have bits that the decoder ignores.
          fc.pre(jwe[at] !== character && /^[^.]/.test(jwe.slice(at + 1)));
          const changed = `${jwe.slice(0, at)}${character}${jwe.slice(at + 1)}`;
          await expect(cipher.decrypt(changed)).rejects.toThrow();
          await expect(cipher.decrypt(jwe.slice(0, at))).rejects.toThrow();
        },
      ),
    );
  });

  it.each([
    ['another algorithm', { alg: 'A256GCMKW', enc: 'A256GCM' }],
    ['another encryption', { alg: 'dir', enc: 'A128CBC-HS256' }],
  ])('rejects %s under the same key', async (_, { alg, enc }) => {
    const [header = ''] = (await cipher.encrypt('x')).split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
    const jwe = await new CompactEncrypt(new TextEncoder().encode('x'))
      .setProtectedHeader({ alg, enc, kid })
      .encrypt(Buffer.from(key, 'base64url'));
    await expect(cipher.decrypt(jwe)).rejects.toThrow('not allowed');
  });

  it.each(['', 'plain text', 'a.b.c.d.e'])('rejects text that is not encrypted: %s', async (text) => {
    await expect(cipher.decrypt(text)).rejects.toThrow();
  });
});

describe('key rotation', () => {
  it('decrypts with every configured key and encrypts with the first', async () => {
    const [old, current] = [createKey(), createKey()];
    const before = await createCipher([old]).encrypt('secret');
    const rotated = createCipher([current, old]);
    expect(await rotated.decrypt(before)).toBe('secret');
    const after = await rotated.encrypt('secret');
    expect(await createCipher([current]).decrypt(after)).toBe('secret');
    await expect(createCipher([old]).decrypt(after)).rejects.toThrow('does not have the key');
    await expect(createCipher([current]).decrypt(before)).rejects.toThrow('does not have the key');
  });
});

describe('the keys', () => {
  it('are separated by spaces', () => {
    expect(parseWatchKeys(' a  b\nc ')).toEqual(['a', 'b', 'c']);
    expect(parseWatchKeys('  ')).toEqual([]);
  });

  const padded = randomBytes(32).toString('base64');
  const secondSpelling = `${'A'.repeat(42)}B`;
  it.each([
    ['short', 'AAAA'],
    ['padded', padded],
    ['with unused bits', secondSpelling],
    ['empty', ''],
  ])('must be base64url of 32 bytes: %s', (_, key) => {
    const create = (): unknown => createCipher([createKey(), key]);
    expect(create).toThrow(/^Key 2 of WATCH_ENCRYPTION_KEYS must be base64url of 32 bytes/);
    const secret = key === '' ? '(none)' : key;
    expect(create).not.toThrow(secret);
  });

  it('must not be missing', () => {
    expect(() => createCipher([])).toThrow('must have at least one key');
  });
});
