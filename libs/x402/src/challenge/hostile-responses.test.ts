import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { listFailures, v1Option, v2Envelope, v2Option, v2Response } from '../testing/fixtures.ts';

const HEADER_NAMES = [
  ...['x-payment-required', 'cache-control', 'content-type', 'location', 'www-authenticate'],
  ...['access-control-allow-origin', 'access-control-expose-headers', '__proto__', 'x-402-price', ''],
];

test('a header value of ten million characters is read in linear time', () => {
  const { headers, ...response } = v2Response();
  for (const part of [',', ' ', '"', '\\', 'no-store ', '=', 'A', ', payment']) {
    const long = part.repeat(10_000_000 / part.length);
    const fields = HEADER_NAMES.map((name): [string, string] => [name, long]);
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
