import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPayment } from './read-payment.ts';

const AUTHORIZATION = {
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  value: '5000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'3'.repeat(64)}`,
};
const PAYLOAD = { signature: `0x${'4'.repeat(130)}`, authorization: AUTHORIZATION };
const TERMS = {
  scheme: 'exact',
  network: 'eip155:8453' as const,
  amount: '5000',
  asset: AUTHORIZATION.to,
  payTo: AUTHORIZATION.to,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
};
const RESOURCE = { url: 'https://touchstone.example/v1/x402-trust' };
const PAYMENT = { x402Version: 2, resource: RESOURCE, accepted: TERMS, payload: PAYLOAD };
/** Payment without the member `accepted`, as some clients send it. */
const SHORT = { x402Version: 2, scheme: 'exact', network: 'eip155:8453', payload: PAYLOAD };
/** Payment of version 1. */
const VERSION_1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: PAYLOAD };
const BASE = 'https://touchstone.example';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const read = (value: unknown) => readPayment(encode(value), { terms: TERMS, baseUrl: BASE });
const readMistakes = (value: unknown) => {
  const presented = read(value);
  return presented.kind === 'malformed' ? presented.mistakes : presented.kind;
};

describe('a payment', () => {
  test('is read with the terms that it accepts', () => {
    expect(read(PAYMENT)).toMatchObject({ kind: 'payment', payment: { payload: PAYMENT } });
    const cheaper = { ...TERMS, amount: '1' };
    expect(read({ ...PAYMENT, accepted: cheaper })).toMatchObject({
      payment: { payload: { accepted: cheaper } },
    });
  });

  test.each([
    ['scheme and network', SHORT],
    ['a resource', { ...SHORT, resource: RESOURCE }],
    ['a resource without an origin', { ...SHORT, resource: { url: '/v1/x402-trust' } }],
    ['neither scheme nor network', { x402Version: 2, payload: PAYLOAD }],
    ['version 1', VERSION_1],
    ['version 1 and a CAIP-2 id', { ...VERSION_1, network: 'eip155:8453' }],
    ['null for the missing members', { ...SHORT, accepted: null, resource: null, extensions: null }],
  ])('without `accepted`, with %s, accepts the only offer of the route', (_, payment) => {
    expect(read(payment)).toMatchObject({ kind: 'payment', payment: { payload: { accepted: TERMS } } });
  });

  test('has the same hash in each form, because the signed values are the same', () => {
    const hashes = [PAYMENT, SHORT, VERSION_1].map((payment) => {
      const presented = read(payment);
      return presented.kind === 'payment' ? presented.payment.paymentHash : null;
    });
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(hashes).size).toBe(1);
  });

  test('of version 1 is sent to the facilitator in the form of version 2', () => {
    const payload = { x402Version: 2, accepted: TERMS, payload: PAYLOAD };
    expect(read(VERSION_1)).toMatchObject({ payment: { payload, secretHash: null } });
  });

  test('of another kind is unsupported', () => {
    expect(read({ ...SHORT, payload: { permit2Authorization: {} } })).toEqual({ kind: 'unsupported' });
    expect(read({ ...SHORT, payload: { transaction: 'AQID' } })).toEqual({ kind: 'unsupported' });
  });
});

const HEX = (bytes: number) => `${bytes} bytes in hex, such as 0x${'5a'.repeat(bytes)}`;
const SIGNED = 'an object with from, to, value, validAfter, validBefore and nonce';
const withAuthorization = (changed: object) => ({
  ...SHORT,
  payload: { ...PAYLOAD, authorization: { ...AUTHORIZATION, ...changed } },
});

describe('the mistakes of a payment name the path, the expected and the received value', () => {
  test.each<[unknown, string, string]>([
    [7, '', 'The payment must be a JSON object; received 7.'],
    [{ ...SHORT, x402Version: 99 }, 'x402Version', '`x402Version` must be 1 or 2; received 99.'],
    [{ ...SHORT, x402Version: undefined }, 'x402Version', '`x402Version` is missing. Send 1 or 2.'],
    [
      { ...SHORT, scheme: 'upto' },
      'scheme',
      '`scheme` must be "exact", as in the challenge; received "upto".',
    ],
    [
      { ...SHORT, network: 'eip155:84532' },
      'network',
      '`network` must be "eip155:8453", as in the challenge; received "eip155:84532".',
    ],
    [
      { ...VERSION_1, network: 'polygon' },
      'network',
      '`network` must be "base", as in the challenge; received "polygon".',
    ],
    [
      { ...SHORT, network: 8453 },
      'network',
      '`network` must be "eip155:8453", as in the challenge; received 8453.',
    ],
    [
      { ...PAYMENT, accepted: { ...TERMS, amount: undefined } },
      'accepted.amount',
      '`accepted.amount` is missing. Send "5000", as in the challenge.',
    ],
    [
      { ...PAYMENT, accepted: { ...TERMS, network: 'base' } },
      'accepted.network',
      '`accepted.network` must be "eip155:8453", as in the challenge; received "base".',
    ],
    [{ ...PAYMENT, accepted: 7 }, 'accepted', '`accepted` must be the value of the challenge; received 7.'],
    [
      { ...SHORT, resource: { url: 'https://other.example/v1/x402-trust' } },
      'resource.url',
      '`resource.url` must be a URL of https://touchstone.example; received "https://other.example/v1/x402-trust".',
    ],
    [
      { ...SHORT, resource: {} },
      'resource.url',
      '`resource.url` is missing. Send the value of the challenge.',
    ],
    [{ ...SHORT, extensions: 7 }, 'extensions', '`extensions` must be an object; received 7.'],
    [
      { ...SHORT, payload: undefined },
      'payload',
      '`payload` is missing. Send an object with signature and authorization.',
    ],
    [
      { ...SHORT, payload: 'x' },
      'payload',
      '`payload` must be an object with signature and authorization; received "x".',
    ],
    [
      { ...SHORT, payload: { signature: PAYLOAD.signature } },
      'payload.authorization',
      `\`payload.authorization\` is missing. Send ${SIGNED}.`,
    ],
    [
      { ...SHORT, payload: { authorization: AUTHORIZATION } },
      'payload.signature',
      '`payload.signature` is missing. Send 1 to 3072 bytes in hex, such as 0x5a5a.',
    ],
    [
      { ...SHORT, payload: { ...PAYLOAD, signature: '0x123' } },
      'payload.signature',
      '`payload.signature` must be 1 to 3072 bytes in hex, such as 0x5a5a; received "0x123".',
    ],
    [
      { ...SHORT, payload: { ...PAYLOAD, permit2Authorization: {} } },
      'payload.permit2Authorization',
      '`payload.permit2Authorization` must be left out; received an empty object.',
    ],
    [
      withAuthorization({ v: 27 }),
      'payload.authorization.v',
      '`payload.authorization.v` must be left out; received 27.',
    ],
    [
      withAuthorization({ nonce: '0x1' }),
      'payload.authorization.nonce',
      `\`payload.authorization.nonce\` must be ${HEX(32)}; received "0x1".`,
    ],
    [
      withAuthorization({ nonce: `0x${'g'.repeat(64)}` }),
      'payload.authorization.nonce',
      `\`payload.authorization.nonce\` must be ${HEX(32)}; received "0x${'g'.repeat(58)}…" (66 characters).`,
    ],
    [
      withAuthorization({ from: '0x\u202e\n' }),
      'payload.authorization.from',
      `\`payload.authorization.from\` must be ${HEX(20)}; received "0x\\u{202e}\\u{a}".`,
    ],
    [
      withAuthorization({ value: 5000 }),
      'payload.authorization.value',
      '`payload.authorization.value` must be a string of 1 to 78 decimal digits, such as "5000"; received 5000.',
    ],
  ])('%j', (payment, path, message) => {
    expect(readMistakes(payment)).toEqual([{ path, message }]);
  });

  test('for a header that is not base64 of JSON', () => {
    for (const header of ['!!!', 'aGVsbG8=']) {
      expect(readPayment(header, { terms: TERMS, baseUrl: BASE })).toEqual({
        kind: 'malformed',
        mistakes: [{ path: '', message: 'The payment must be JSON, encoded in base64.' }],
        signed: null,
      });
    }
  });

  test('in any combination of missing members of the authorization', () => {
    const names = Object.keys(AUTHORIZATION);
    fc.assert(
      fc.property(fc.subarray(names, { minLength: 1 }), fc.boolean(), (missing, hasAccepted) => {
        const left = Object.fromEntries(Object.entries(AUTHORIZATION).filter(([n]) => !missing.includes(n)));
        const payload = { ...PAYLOAD, authorization: left };
        const mistakes = readMistakes({ ...(hasAccepted ? PAYMENT : SHORT), payload });
        expect(mistakes).toEqual(
          missing.map((name) => ({
            path: `payload.authorization.${name}`,
            message: expect.stringContaining(`\`payload.authorization.${name}\` is missing. Send `) as string,
          })),
        );
      }),
    );
  });
});

test('a payment with any other value in place of a member is read, or its mistakes name that member', () => {
  const members = [
    ['x402Version'],
    ['scheme'],
    ['network'],
    ['resource'],
    ['payload'],
    ['payload', 'signature'],
    ...Object.keys(AUTHORIZATION).map((name) => ['payload', 'authorization', name]),
  ];
  const replace = (value: object, [name = '', ...rest]: readonly string[], next: unknown): object => ({
    ...value,
    [name]: rest.length === 0 ? next : replace((value as Record<string, object>)[name] ?? {}, rest, next),
  });
  fc.assert(
    fc.property(fc.constantFrom(...members), fc.jsonValue(), (path, value) => {
      const presented = read(replace(SHORT, path, value));
      if (presented.kind !== 'malformed') return;
      expect(presented.mistakes.length).toBeGreaterThan(0);
      for (const mistake of presented.mistakes) {
        expect(`${mistake.path}.`).toContain(`${path.join('.')}.`);
        expect(mistake.message).toContain(`\`${mistake.path}\``);
      }
    }),
  );
});

test('the authorization of a malformed payment is read if it is valid, because it may be settled', () => {
  expect(read({ ...SHORT, network: 'polygon' })).toMatchObject({
    kind: 'malformed',
    signed: { authorization: { nonce: AUTHORIZATION.nonce, payer: AUTHORIZATION.from } },
  });
  expect(read(withAuthorization({ nonce: '0x1' }))).toMatchObject({ signed: null });
});
