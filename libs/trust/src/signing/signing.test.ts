import { createPublicKey, verify, webcrypto } from 'node:crypto';
import { base64urlnopad, hex } from '@scure/base';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { keySetSchema, trustReportSchema, type KeySet, type TrustReport } from '@touchstone/contract';
import { anyReport, FULL_INPUTS, createReport } from '../testing/reports.ts';
import { readSigningKeys, SigningKeyError, type SigningKeys, computeThumbprint } from './signing-keys.ts';
import { toSignedBytes, signDocument, verifySignature } from './signatures.ts';

const { subtle } = webcrypto;
const options = { baseUrl: 'https://touchstone.example', subtle };

/** Ed25519 test vectors 1 and 2 of RFC 8032, section 7.1. */
const VECTORS = [
  {
    secret: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
] as const;

const toBase64url = (text: string): string => base64urlnopad.encode(hex.decode(text));
const toJwk = ({ secret, publicKey }: (typeof VECTORS)[number]): Record<string, string> => ({
  kty: 'OKP',
  crv: 'Ed25519',
  d: toBase64url(secret),
  x: toBase64url(publicKey),
});
const [ONE, TWO] = VECTORS.map(toJwk);

async function readKeys(...keys: readonly unknown[]): Promise<SigningKeys> {
  return readSigningKeys(JSON.stringify({ keys }), options);
}

describe('Ed25519', () => {
  it.each(VECTORS)('signs the RFC 8032 test vector $message', async (vector) => {
    const { signing } = await readKeys(toJwk(vector));
    expect(hex.encode(await signing.sign(Uint8Array.from(hex.decode(vector.message))))).toBe(
      vector.signature,
    );
  });

  it('computes the thumbprint of RFC 8037, appendix A.3', async () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    expect(await computeThumbprint(x, subtle)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
});

describe('readSigningKeys', () => {
  it('accepts a single JWK as exported by WebCrypto', async () => {
    const pair = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    if (!('privateKey' in pair)) throw new TypeError('Expected a key pair.');
    const jwk = await subtle.exportKey('jwk', pair.privateKey);
    const { published } = await readSigningKeys(JSON.stringify(jwk), options);
    expect(keySetSchema.parse(published).keys).toHaveLength(1);
  });

  it('publishes all keys without their secrets, signing key first', async () => {
    const old = { ...TWO, retiredAt: '2026-01-01T00:00:00.000Z' };
    const { signing, published } = await readKeys(ONE, old, { ...old, d: undefined });
    expect(keySetSchema.parse(published)).toEqual(published);
    expect(published.keys.map(({ kid }) => kid === signing.keyId)).toEqual([true, false, false]);
    for (const key of [ONE, TWO]) expect(JSON.stringify(published)).not.toContain(key?.['d']);
    expect(signing.keysUrl).toBe('https://touchstone.example/.well-known/touchstone-keys.json');
  });

  it.each<readonly [string, string]>([
    ['an empty text', ''],
    ['a phrase', 'correct horse battery staple'],
    ['a number', '42'],
    ['an empty set', '{"keys":[]}'],
    ['a public key', JSON.stringify({ ...ONE, d: undefined })],
    ['a set whose first key is public', JSON.stringify({ keys: [{ ...ONE, d: undefined }, TWO] })],
    ['a key whose x and d do not match', JSON.stringify({ ...ONE, x: TWO?.['x'] })],
    ['a retired key', JSON.stringify({ ...ONE, retiredAt: '2026-01-01T00:00:00.000Z' })],
    ['a key of another curve', JSON.stringify({ ...ONE, crv: 'X25519' })],
    ['a key that is too short', JSON.stringify({ ...ONE, d: 'AAAA' })],
    ['a PEM key', '-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----'],
  ])('rejects %s without the secret in the error', async (_, text) => {
    const failure: unknown = await readSigningKeys(text, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SigningKeyError);
    const { message } = failure as SigningKeyError;
    expect(message).toMatch(/^The .*\. Set an Ed25519 private key as a JWK/);
    for (const secret of [ONE?.['d'], 'horse', 'MC4CAQ']) expect(message).not.toContain(secret);
  });
});

describe('a signed report', () => {
  let keys: SigningKeys;
  let other: SigningKeys;
  let report: TrustReport;
  beforeAll(async () => {
    keys = await readKeys(ONE);
    other = await readKeys(TWO);
    report = await signDocument(createReport(FULL_INPUTS), keys.signing);
  });
  const verifyOutcome = async (given: unknown, set: KeySet): Promise<string> =>
    (await verifySignature(given, set, subtle)).outcome;

  it('is a valid report and verifies in any member order and JSON formatting', async () => {
    expect(trustReportSchema.parse(report)).toEqual(report);
    const reversed = Object.fromEntries(Object.entries(report).reverse());
    const reformatted: unknown = JSON.parse(JSON.stringify(reversed, null, 4));
    expect([
      await verifyOutcome(report, keys.published),
      await verifyOutcome(reformatted, keys.published),
    ]).toEqual(['valid', 'valid']);
  });

  it('verifies with the Ed25519 implementation of node:crypto', () => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: ONE?.['x'] ?? '' }, format: 'jwk' });
    const value = Buffer.from(report.signature?.value ?? '', 'base64url');
    expect(verify(null, toSignedBytes(report) ?? Buffer.alloc(0), key, value)).toBe(true);
  });

  it('verifies for every report, and not after a member is changed or removed', async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, fc.nat(), async (unsigned, pick) => {
        const signed = await signDocument(unsigned, keys.signing);
        expect(await verifyOutcome(JSON.parse(JSON.stringify(signed)), keys.published)).toBe('valid');
        const names = Object.keys(signed).filter((name) => name !== 'signature');
        const name = names[pick % names.length] ?? '';
        expect(await verifyOutcome({ ...signed, [name]: 'other' }, keys.published)).not.toBe('valid');
        const rest = Object.fromEntries(Object.entries(signed).filter(([member]) => member !== name));
        expect(await verifyOutcome(rest, keys.published)).not.toBe('valid');
      }),
      { numRuns: 50 },
    );
  });

  it.each<readonly [string, (signed: TrustReport) => unknown]>([
    ['another score', (signed) => ({ ...signed, score: 100 })],
    ['an unknown member', (signed) => ({ ...signed, bonus: 1 })],
    [
      'a hidden member',
      (signed): unknown =>
        JSON.parse(JSON.stringify(signed).replace('"flags":{', '"flags":{"__proto__":{},')),
    ],
    ['a lone surrogate', (signed) => ({ ...signed, description: '\ud800' })],
    [
      'an invalid signature',
      (signed) => ({ ...signed, signature: { ...signed.signature, value: 'A'.repeat(86) } }),
    ],
  ])('is reported as forged with %s', async (_, change) => {
    expect(await verifyOutcome(change(report), keys.published)).toBe('forged');
  });

  it('gives unknown-key for other keys, unsigned without a signature, and no-report for other values', async () => {
    expect(await verifyOutcome(report, other.published)).toBe('unknown-key');
    expect(await verifyOutcome({ ...report, signature: null }, keys.published)).toBe('unsigned');
    expect(await verifyOutcome('report', keys.published)).toBe('no-report');
    expect(await verifyOutcome({ ...report, signature: 'yes' }, keys.published)).toBe('no-report');
  });

  it('is reported as forged if another key signed it with the id of a known key', async () => {
    const forged = await signDocument(createReport(FULL_INPUTS), {
      ...other.signing,
      keyId: keys.signing.keyId,
    });
    expect(await verifyOutcome(forged, keys.published)).toBe('forged');
  });

  it('verifies after its key is retired, unless it was created after the retirement', async () => {
    const retired = { ...ONE, d: undefined, retiredAt: '2026-06-02T00:00:00.000Z' };
    const rotated = await readKeys(TWO, retired);
    expect(await verifyOutcome(report, rotated.published)).toBe('valid');
    const late = await signDocument({ ...report, generatedAt: '2026-06-03T00:00:00.000Z' }, keys.signing);
    expect(await verifyOutcome(late, rotated.published)).toBe('key-out-of-use');
    const { published } = await readKeys({ ...ONE, validFrom: '2026-06-02T00:00:00.000Z' });
    expect(await verifyOutcome(report, published)).toBe('key-out-of-use');
    expect(await verifyOutcome(late, published)).toBe('valid');
  });
});
