import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { base58, hex } from '@scure/base';
import {
  createOfferEIP712,
  createOfferJWS,
  type OfferInput,
  type SignedOffer,
} from '@x402/extensions/offer-receipt';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { verifyOffer, type OfferedTerms } from './verify-offer.ts';

/** Published test keys. They sign nothing but offers of tests. */
const [RECIPIENT, OTHER] = [
  privateKeyToAccount(`0x${'01'.repeat(32)}`),
  privateKeyToAccount(`0x${'02'.repeat(32)}`),
];
const URL_PAID = 'https://api.example.com/weather?city=Oslo';
const OFFER: OfferInput = {
  ...{ acceptIndex: 0, scheme: 'exact', network: 'eip155:8453', amount: '10000' },
  ...{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', payTo: RECIPIENT.address },
};
const { acceptIndex: _acceptIndex, ...OPTION } = OFFER;
const TERMS: OfferedTerms = { ...OPTION, url: URL_PAID };

type Typed = Parameters<typeof createOfferEIP712>[2];
const signBy =
  (account: typeof RECIPIENT): Typed =>
  async (data) =>
    account.signTypedData(data);

const offer = (change: Partial<OfferInput> = {}, { url = URL_PAID, account = RECIPIENT } = {}) =>
  createOfferEIP712(url, { ...OFFER, ...change }, signBy(account));

interface Case {
  readonly terms?: Partial<OfferedTerms>;
  /** DID document of the host; undefined if the host has none. */
  readonly document?: unknown;
  readonly now?: number;
}

/** Verifies signed offers, and lists the fetched URLs. */
async function verify(offers: unknown, { terms, document, now = Date.now() }: Case = {}) {
  const fetched: string[] = [];
  const result = await verifyOffer({
    challenge: { x402Version: 2, extensions: { 'offer-receipt': { info: { offers } } } },
    terms: { ...TERMS, ...terms },
    now,
    fetch: async (input) => {
      fetched.push(input instanceof URL ? input.href : '');
      return document === undefined ? new Response('', { status: 404 }) : Response.json(document);
    },
  });
  return { ...result, fetched };
}

const toDocument = (method: object) => ({
  id: 'did:web:api.example.com',
  verificationMethod: [{ id: 'did:web:api.example.com#key-1', ...method }],
});

describe('EIP-712', () => {
  it('accepts an offer that the recipient signed, and fetches nothing', async () => {
    expect(await verify([await offer()])).toEqual({ state: 'valid', signer: RECIPIENT.address, fetched: [] });
  });

  it('finds the offer of the paid option among others, and reads networks and addresses in both spellings', async () => {
    const offers = [await offer({ network: 'eip155:137' }), { format: 'none' }, await offer()];
    const terms = { network: 'base', payTo: RECIPIENT.address.toLowerCase() };
    expect(await verify(offers, { terms })).toMatchObject({ state: 'valid' });
  });

  it.each<[string, string]>([
    ['a URL without a query', 'https://api.example.com/weather'],
    ['the URL that a server behind a TLS proxy sees', 'http://api.example.com/weather?city=Oslo'],
  ])('accepts an offer for %s', async (_name, url) => {
    expect(await verify([await offer({}, { url })])).toMatchObject({ state: 'valid' });
  });

  it.each<[string, Partial<OfferInput>]>([
    ['scheme', { scheme: 'upto' }],
    ['network', { network: 'eip155:137' }],
    ['asset', { asset: OTHER.address }],
    ['payTo', { payTo: OTHER.address }],
    ['amount', { amount: '5000' }],
  ])('refuses an offer with another %s', async (name, change) => {
    const { state, ...result } = await verify([await offer(change)]);
    expect(state).toBe('invalid');
    expect(JSON.stringify(result)).toContain(`Its ${name} is`);
  });

  it.each([
    'https://api.example.com/forecast',
    'https://api.example.com/weather?city=Rome',
    'https://evil.example/weather?city=Oslo',
    'https://api.example.com:8443/weather',
  ])('refuses an offer for %s', async (url) => {
    expect(await verify([await offer({}, { url })])).toMatchObject({
      state: 'invalid',
      message: expect.stringContaining(`Its resourceUrl is ${JSON.stringify(url)}`) as unknown,
    });
  });

  it('accepts an offer until it expires', async () => {
    const offers = [await offer({ offerValiditySeconds: 60 })];
    const { validUntil } = offers[0]?.payload ?? { validUntil: 0 };
    expect(await verify(offers, { now: validUntil * 1_000 - 1 })).toMatchObject({ state: 'valid' });
    expect(await verify(offers, { now: validUntil * 1_000 })).toMatchObject({
      state: 'invalid',
      message: expect.stringContaining(`It expired at ${validUntil}`) as unknown,
    });
  });

  it('refuses each member that was changed after signing', async () => {
    const signed = await offer();
    for (const change of [
      { validUntil: signed.payload.validUntil + 1 },
      { resourceUrl: 'https://api.example.com/weather' },
    ])
      expect(await verify([{ ...signed, payload: { ...signed.payload, ...change } }])).toMatchObject({
        state: 'invalid',
        message: expect.stringContaining(
          'is neither the recipient nor a key that the host publishes',
        ) as unknown,
      });
  });

  it('refuses a signer that neither is the recipient nor published by the host', async () => {
    const offers = [await offer({}, { account: OTHER })];
    const missing = await verify(offers);
    expect(missing).toMatchObject({
      state: 'invalid',
      message: `The signed offer does not confirm this payment. Its signer "${OTHER.address.toLowerCase()}" is neither the recipient nor a key that the host publishes. https://api.example.com returned status 404.`,
      fetched: ['https://api.example.com/.well-known/did.json'],
    });
    const document = toDocument({ blockchainAccountId: `eip155:1:${OTHER.address}` });
    expect(await verify(offers, { document })).toMatchObject({
      state: 'valid',
      signer: 'did:web:api.example.com#key-1',
    });
  });
});

/** Signs offers with a key of Node.js, and returns the offer and the public key. */
async function createJws(
  algorithm: 'EdDSA' | 'ES256' | 'ES256K',
  keys: { publicKey: KeyObject; privateKey: KeyObject },
) {
  const digest = algorithm === 'EdDSA' ? null : 'sha256';
  const signed: SignedOffer = await createOfferJWS(URL_PAID, OFFER, {
    ...{ kid: 'did:web:api.example.com#key-1', format: 'jws', algorithm },
    sign: async (bytes) =>
      sign(digest, bytes, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  });
  return { signed, jwk: keys.publicKey.export({ format: 'jwk' }) };
}

const KEYS = {
  EdDSA: generateKeyPairSync('ed25519'),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES256K: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
};
const MULTICODEC = { EdDSA: 'ed01', ES256: '8024', ES256K: 'e701' };

/** Encodes a public key as multibase, as did:key does: a point on a curve is compressed. */
function toMultibase(algorithm: keyof typeof KEYS): string {
  const { x = '', y } = KEYS[algorithm].publicKey.export({ format: 'jwk' });
  const bytes = Buffer.from(x, 'base64url');
  const odd = Buffer.from(y ?? '', 'base64url').at(-1);
  const point = odd === undefined ? bytes : Buffer.concat([Uint8Array.of(2 + (odd % 2)), bytes]);
  return `z${base58.encode(Uint8Array.of(...hex.decode(MULTICODEC[algorithm]), ...point))}`;
}

describe('JWS', () => {
  const ALGORITHMS = ['EdDSA', 'ES256', 'ES256K'] as const;

  it.each(ALGORITHMS)(
    'accepts %s by a key that the host publishes as a JWK or as multibase',
    async (algorithm) => {
      const { signed, jwk } = await createJws(algorithm, KEYS[algorithm]);
      for (const method of [{ publicKeyJwk: jwk }, { publicKeyMultibase: toMultibase(algorithm) }])
        expect(await verify([signed], { document: toDocument(method) })).toMatchObject({
          state: 'valid',
          signer: 'did:web:api.example.com#key-1',
        });
    },
  );

  it.each(ALGORITHMS)('refuses %s by another key of the same curve', async (algorithm) => {
    const { jwk } = await createJws(algorithm, KEYS[algorithm]);
    const keys = {
      EdDSA: () => generateKeyPairSync('ed25519'),
      ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      ES256K: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    };
    const { signed } = await createJws(algorithm, keys[algorithm]());
    expect(await verify([signed], { document: toDocument({ publicKeyJwk: jwk }) })).toMatchObject({
      state: 'invalid',
      message: expect.stringContaining('/.well-known/did.json has 1 supported keys.') as unknown,
    });
  });

  it('accepts the key of a Solana recipient', async () => {
    const jwk = KEYS.EdDSA.publicKey.export({ format: 'jwk' });
    const payTo = base58.encode(Buffer.from(jwk.x ?? '', 'base64url'));
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
    const offers = [
      await createOfferJWS(
        URL_PAID,
        { ...OFFER, payTo, network },
        {
          ...{ kid: 'did:key:z6Mk', format: 'jws', algorithm: 'EdDSA' },
          sign: async (bytes) => sign(null, bytes, KEYS.EdDSA.privateKey).toString('base64url'),
        },
      ),
    ];
    expect(await verify(offers, { terms: { payTo, network } })).toEqual({
      state: 'valid',
      signer: payTo,
      fetched: [],
    });
  });

  it('refuses a key in the header that is not the key of the signer', async () => {
    const { signed, jwk } = await createJws('ES256', KEYS.ES256);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const [, payload = ''] = signed.signature.split('.');
    const resign = (stated: object) => {
      const fields = { alg: 'ES256', kid: 'did:web:api.example.com#key-1', jwk: stated };
      const text = `${Buffer.from(JSON.stringify(fields)).toString('base64url')}.${payload}`;
      const key = { key: KEYS.ES256.privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return {
        format: 'jws',
        signature: `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`,
      };
    };
    const document = toDocument({ publicKeyJwk: jwk });
    expect(await verify([resign(jwk)], { document })).toMatchObject({ state: 'valid' });
    expect(await verify([resign(other)], { document })).toMatchObject({ state: 'invalid' });
  });
});

describe('untrusted challenges', () => {
  it.each<[string, unknown]>([
    ['no list', 'offers'],
    ['an empty list', []],
  ])('finds no offer in %s', async (_name, offers) => {
    expect(await verify(offers)).toMatchObject({ state: 'none' });
  });

  it('never rejects, whatever an offer or a DID document contains', async () => {
    const { payload, signature } = await offer({}, { account: OTHER });
    const values: readonly unknown[] = [
      null,
      7,
      '',
      [],
      {},
      { format: 'jws' },
      { format: 'jws', signature: 'e30.e30.e30' },
    ];
    const broken = [
      ...values,
      ...values.map((value) => ({ format: 'eip712', payload: value, signature })),
      ...values.map((value) => ({ format: 'eip712', payload: { ...payload, payTo: value }, signature })),
      ...[`0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(64)}1c`, '0x'].map((text) => ({
        format: 'eip712',
        payload,
        signature: text,
      })),
    ];
    for (const each of broken) expect(await verify([each])).toMatchObject({ state: 'invalid' });
    const methods = [
      ...values,
      { publicKeyMultibase: 'z0' },
      { publicKeyJwk: { crv: 'P-256', x: 'AA', y: 'AA' } },
    ];
    for (const method of methods)
      expect(
        await verify([{ format: 'eip712', payload, signature }], {
          document: { verificationMethod: [method] },
        }),
      ).toMatchObject({ state: 'invalid' });
    expect(await verify([{ format: 'eip712', payload, signature }], { document: 'text' })).toMatchObject({
      state: 'invalid',
    });
  });
});
