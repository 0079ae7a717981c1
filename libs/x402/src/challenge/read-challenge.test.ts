import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BASE_USDC,
  encode,
  PAY_TO,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from '../testing/fixtures.ts';
import { readChallenge } from './read-challenge.ts';
import { RULES } from '../rules/rules.ts';
import type { ChallengeResponse } from '../types.ts';

describe('readChallenge', () => {
  test('reads a valid version 2 response and passes it', () => {
    expect(readChallenge(v2Response())).toMatchObject({
      version: 2,
      source: 'header',
      options: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: BASE_USDC,
          assetSymbol: 'USDC',
          decimals: 6,
          amount: 10_000n,
          amountUsd: '0.010000',
          payTo: PAY_TO,
          maxTimeoutSeconds: 60,
          falseUsdc: false,
        },
      ],
      resourceUrl: REQUEST_URL,
      description: 'Weather by city',
      mimeType: 'application/json',
      serviceName: 'Skies',
      payable: { v1: false, v2: true },
      verdict: 'pass',
    });
  });

  test('reads a valid version 1 response and passes it; both clients pay it', () => {
    const challenge = readChallenge(v1Response());
    expect(challenge).toMatchObject({
      version: 1,
      source: 'body',
      options: [{ network: 'eip155:8453', amount: 10_000n, amountUsd: '0.010000' }],
      resourceUrl: REQUEST_URL,
      description: 'Weather by city',
      mimeType: 'application/json',
      serviceName: null,
      payable: { v1: true, v2: true },
      verdict: 'pass',
    });
  });

  test('has one check for every rule, in order', () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const response of [v2Response(), v1Response(), v1Response(undefined, { status: 500, body: null })]) {
      expect(readChallenge(response).checks.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('checks header and body separately', () => {
    const body = JSON.stringify(v1Envelope());
    const badHeader = readChallenge(
      v2Response(undefined, { headers: [['payment-required', '{bad}']], body }),
    );
    expect(badHeader).toMatchObject({ source: 'body', payable: { v1: true, v2: false }, verdict: 'errors' });
    const badBody = readChallenge(
      v2Response(undefined, { body: JSON.stringify(v1Envelope({ accepts: [] })) }),
    );
    expect(badBody).toMatchObject({ source: 'header', payable: { v1: false, v2: true }, verdict: 'errors' });
  });

  test('reads the terms of an invalid envelope, although no client could pay it', () => {
    const { options, payable } = readChallenge(
      v2Response(
        v2Envelope({
          accepts: [v2Option({ network: 'base', amount: undefined, maxAmountRequired: '5000' }), {}],
        }),
      ),
    );
    expect(payable.v2).toBe(false);
    expect(options).toMatchObject([{ network: 'eip155:8453', amountUsd: '0.005000' }]);
  });

  test('returns no US dollar price for an unknown token', () => {
    const { options } = readChallenge(v2Response(v2Envelope({ accepts: [v2Option({ asset: PAY_TO })] })));
    expect(options).toMatchObject([
      { assetSymbol: null, decimals: null, amount: 10_000n, amountUsd: null, falseUsdc: true },
    ]);
  });

  test('treats prototype keys as ordinary members', () => {
    const text = `{"__proto__":{"x402Version":2,"accepts":[${JSON.stringify(v2Option())}]},"constructor":1,"toString":2}`;
    const challenge = readChallenge(v2Response(undefined, { headers: [['payment-required', btoa(text)]] }));
    expect(challenge).toMatchObject({ version: null, source: null, options: [], verdict: 'unpayable' });
    const odd = v2Option({ network: '__proto__', scheme: 'constructor', asset: 'hasOwnProperty' });
    expect(readChallenge(v2Response(v2Envelope({ accepts: [odd] }))).options[0]).toMatchObject({
      network: '__proto__',
      assetSymbol: null,
    });
    expect({}).not.toHaveProperty('x402Version');
  });

  test('reads 18,000 entries quickly', () => {
    const response = v1Response(
      v1Envelope({ accepts: Array.from({ length: 18_000 }, () => ({ network: 1 })) }),
    );
    expect(response.body?.length).toBeGreaterThan(250_000);
    const started = performance.now();
    const challenge = readChallenge(response);
    expect(challenge.checks.find(({ id }) => id === 'v1-network-enum')?.message).toContain(
      '64 of the first 64 options',
    );
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

/** Valid envelopes of version 1 or 2, in which at most four members are replaced by random values. */
const mutated = fc
  .tuple(
    fc.constantFrom(v2Envelope(), v1Envelope()),
    fc.array(
      fc.tuple(
        fc.constantFrom('x402Version', 'error', 'resource', 'accepts', 'extensions', 'option', 'options'),
        fc.constantFrom(...Object.keys(v2Option()), ...Object.keys(v1Option()), '__proto__'),
        fc.oneof(
          fc.jsonValue(),
          fc.constantFrom('', '0', '1', 'base', 'exact', BASE_USDC, PAY_TO, 2, 1, null),
        ),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([envelope, changes]) => {
    let option = envelope['x402Version'] === 1 ? v1Option() : v2Option();
    const changed: Record<string, unknown> = { ...envelope };
    for (const [place, key, value] of changes) {
      if (place === 'option') option = { ...option, [key]: value };
      else if (place === 'options') changed['accepts'] = [option, value, option];
      else changed[place] = value;
    }
    return changes.some(([place]) => place === 'option') ? { ...changed, accepts: [option] } : changed;
  });

const responses: fc.Arbitrary<ChallengeResponse> = fc.record({
  url: fc.oneof(fc.constant(REQUEST_URL), fc.string()),
  status: fc.constantFrom(402, 402, 402, 200, 404, 0),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom(
        'PAYMENT-REQUIRED',
        'payment-required',
        'cache-control',
        'content-type',
        'x-payment-required',
        '__proto__',
      ),
      fc.oneof(mutated.map(encode), fc.jsonValue().map(encode), fc.string(), fc.base64String()),
    ),
    { maxLength: 4 },
  ),
  body: fc.option(
    fc.oneof(
      mutated.map((json) => JSON.stringify(json)),
      fc.json(),
      fc.string(),
    ),
  ),
});

describe('for any response', () => {
  test('readChallenge returns a consistent challenge', () => {
    fc.assert(
      fc.property(responses, (response) => {
        const { checks, settles, verdict, options, version, source } = readChallenge(response);
        expect(checks).toHaveLength(RULES.length);
        const isRefused = verdict === 'unpayable' || verdict === 'undetermined';
        expect(isRefused).toBe(!settles.v1 && !settles.v2);
        expect((version === null) === (source === null)).toBe(true);
        expect(options.length).toBeLessThanOrEqual(64);
        const isError = checks.some(
          (c) => c.result === 'fail' && c.axis === 'payable' && c.severity === 'error',
        );
        if (verdict === 'pass' || verdict === 'warnings') expect(isError).toBe(false);
        if (verdict === 'errors') expect(isError).toBe(true);
        if (version === null) expect(options).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the same response gives the same challenge', () => {
    fc.assert(
      fc.property(responses, (response) => {
        expect(readChallenge(structuredClone(response))).toEqual(readChallenge(response));
      }),
    );
  });

  test('a payable response has an option with a whole amount and a payTo', () => {
    fc.assert(
      fc.property(responses, (response) => {
        const { payable, options, source } = readChallenge(response);
        if (source === 'header' && payable.v2) {
          expect(options.some(({ amount, payTo }) => amount !== null && payTo !== '')).toBe(true);
        }
      }),
    );
  });
});
