import { describe, expect, test } from 'vitest';
import {
  BASE_USDC,
  PAY_TO,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from './testing/fixtures.ts';
import { readChallenge, readDeclaredMethod } from './read-challenge.ts';

const declarePost = { input: { type: 'http', method: 'post' } };

test.each([
  [v2Response(v2Envelope({ extensions: { bazaar: { info: declarePost } } })), 'POST'],
  [v1Response(v1Envelope({ accepts: [v1Option({ outputSchema: declarePost })] })), 'POST'],
  [v1Response(v1Envelope({ accepts: [v1Option({ outputSchema: undefined })] })), null],
  [v2Response(v2Envelope(), { headers: [], body: null }), null],
])('readDeclaredMethod returns the declared method (%#)', (response, method) => {
  expect(readDeclaredMethod(response)).toBe(method);
});

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

  test('predicts no payment for a body without an end, which clients read before they sign', () => {
    const reason =
      'The body had not ended when this check stopped reading; clients read it to its end before they sign a payment.';
    for (const response of [v2Response(), v1Response()]) {
      expect(readChallenge({ ...response, bodyEnd: 'deadline' })).toMatchObject({
        refusals: { v1: reason, v2: reason },
        verdict: 'unpayable',
      });
    }
  });

  test.each(['closed', 'undecodable'] as const)(
    'predicts a payment for a %s body only from the header',
    (bodyEnd) => {
      const inHeader = readChallenge(v2Response(undefined, { bodyEnd }));
      expect(inHeader).toMatchObject({ payable: { v1: false, v2: true }, verdict: 'warnings' });
      const inBody = readChallenge(v1Response(undefined, { bodyEnd }));
      expect(inBody).toMatchObject({ payable: { v1: false, v2: false }, verdict: 'unpayable' });
      expect(inBody.refusals.v2).toMatch(/^There is no PAYMENT-REQUIRED header\. The .* cannot read it\.$/);
    },
  );

  test('does not judge a JSON body that is too large for this package', () => {
    const response = v1Response(undefined, { bodyEnd: 'size-limit' });
    expect(readChallenge(response)).toMatchObject({
      verdict: 'undetermined',
      refusals: { v1: 'The body has more than 256 KiB, so this check did not read it to its end.' },
    });
    // A part of a body with the coding zstd cannot be decoded.
    expect(readChallenge({ ...response, body: '' }).verdict).toBe('undetermined');
    const html = { ...response, body: '<html>' };
    expect(readChallenge(html).verdict).toBe('unpayable');
    expect(readChallenge(v2Response(undefined, { bodyEnd: 'size-limit' })).verdict).toBe('pass');
  });

  test('does not judge a challenge whose body has an unknown end', () => {
    const reason =
      'The body is too long for this check to find its end; clients read it to its end before they sign a payment.';
    for (const response of [v2Response(), v1Response()]) {
      expect(readChallenge({ ...response, bodyEnd: 'too-long' })).toMatchObject({
        ...{ payable: { v1: false, v2: false }, refusals: { v1: reason, v2: reason } },
        verdict: 'undetermined',
      });
    }
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
