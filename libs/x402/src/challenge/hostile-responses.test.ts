import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChallenge } from './read-challenge.ts';
import { readListing } from '../listing/read-listing.ts';
import {
  encode,
  listFailures,
  REQUEST_URL,
  v1Option,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';

const HEADER_NAMES = [
  ...['payment-required', 'PAYMENT-REQUIRED', 'x-payment-required', 'cache-control', 'content-type'],
  ...['location', 'www-authenticate', 'access-control-allow-origin', 'access-control-expose-headers'],
  ...['__proto__', 'constructor', 'x-402-price', ''],
];
const METHODS = ['GET', 'post', '__proto__', '', null];

const members = fc.constantFrom(
  ...['network', 'amount', 'maxAmountRequired', 'asset', 'payTo', 'scheme', 'resource', 'extra'],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('base', 'eip155:8453', '0x', '1', '\uD800', '__proto__', '9'.repeat(400)),
);
const values = fc.oneof(fc.jsonValue(), texts);
const options = fc.array(
  fc.oneof(
    fc.dictionary(members, values),
    fc.tuple(members, values).map(([name, value]): JsonObject => v2Option({ [name]: value })),
    fc.tuple(members, values).map(([name, value]): JsonObject => v1Option({ [name]: value })),
    values,
  ),
  { maxLength: 4 },
);
const envelopes = fc.record({
  x402Version: fc.constantFrom<unknown>(1, 2, '2', 3, null),
  resource: values,
  accepts: fc.oneof(options, values),
  extensions: values,
});

const responses: fc.Arbitrary<ChallengeResponse> = fc.record({
  url: fc.oneof(fc.constant(REQUEST_URL), texts),
  method: fc.constantFrom(...METHODS),
  status: fc.oneof(fc.constantFrom(402, 200, 301, 404, 501, 503), fc.integer(), fc.constant(Number.NaN)),
  headers: fc.array(
    fc.tuple(fc.constantFrom(...HEADER_NAMES), fc.oneof(envelopes.map(encode), texts, texts.map(encode))),
    { maxLength: 6 },
  ),
  body: fc.oneof(
    envelopes.map((envelope) => JSON.stringify(envelope)),
    texts,
    fc.constant(null),
  ),
});

test('no rule throws for any response, second response or listing', () => {
  const items = fc.record({ resource: texts, accepts: fc.oneof(options, values), lastUpdated: values });
  fc.assert(
    fc.property(
      responses,
      fc.record({ secondResponse: responses, receivedAt: fc.integer() }),
      items,
      (response, context, item) => {
        const result = readListing(item);
        const challenge = readChallenge(response, { ...context, listing: result.ok ? result.listing : null });
        for (const { message } of challenge.checks) expect(message).not.toMatch(/\p{Cc}/u);
        expect(challenge.checks.every(({ message }) => message.isWellFormed() && message.length < 600)).toBe(
          true,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('a header value of ten million characters is read in linear time', () => {
  const { headers, ...response } = v2Response();
  for (const part of [',', ' ', '"', '\\', 'no-store ', '=', 'A', ', payment']) {
    const long = part.repeat(10_000_000 / part.length);
    const fields = HEADER_NAMES.slice(2).map((name): [string, string] => [name, long]);
    const challenge = readChallenge({ ...response, headers: [...headers, ...fields] });
    expect(challenge.options).toHaveLength(1);
  }
});

test('reads a header with 100,000 fields, and a body nested 100,000 levels deep', () => {
  const fields = Array.from({ length: 100_000 }, (): [string, string] => ['Payment-Required', 'e30=']);
  expect(listFailures(readChallenge(v2Response({}, { headers: fields })))).toContain('v2-header-single');
  const deep = `{"x402Version":2,"accepts":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(readChallenge(v2Response(v2Envelope(), { body: deep })).payable.v2).toBe(true);
});

test('one very long member does not slow down the rules', () => {
  const text = 'eip155:'.repeat(5_000);
  const option = Object.fromEntries(
    Object.keys({ ...v1Option(), ...v2Option() }).map((name) => [name, text]),
  );
  const body = JSON.stringify({ x402Version: 1, accepts: [option] });
  const started = performance.now();
  readChallenge(v2Response({ x402Version: 2, accepts: [{ ...v2Option(), asset: text }] }, { body }));
  expect(performance.now() - started).toBeLessThan(30_000);
});
