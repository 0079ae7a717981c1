import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import type { Dialect } from '../types.ts';

function readDialects(headers: [string, string][], body: string | null = null): readonly Dialect[] {
  return readChallenge({ url: 'https://a.example/', status: 402, headers, body }).dialects;
}

function readAuthenticate(...values: string[]): readonly Dialect[] {
  return readDialects(values.map((value) => ['WWW-Authenticate', value]));
}

test.each<[string, Dialect[]]>([
  ['Payment id="x1", realm="a.example", method="tempo", intent="charge", request="e30"', ['mpp']],
  ['payment', ['mpp']],
  ['L402 macaroon="AGIA", invoice="lnbc1"', ['l402']],
  ['LSAT macaroon="AGIA", invoice="lnbc1"', ['l402']],
  ['X402 requirements="e30="', ['x402-authenticate']],
  ['Bearer realm="a", L402 macaroon="b",  Payment id="c"', ['mpp', 'l402']],
  ['Bearer', []],
  ['Bearer realm="pay, Payment id=1"', []],
  [String.raw`Bearer realm="\", L402 x"`, []],
  ['Digest nonce="1", payment="none"', []],
  ['Digest nonce="1", payment  = none', []],
  ['Payments id="1"', []],
  ['', []],
])('WWW-Authenticate: %s', (value, dialects) => {
  expect(readAuthenticate(value)).toEqual(dialects);
});

test('reports each dialect once across all header fields', () => {
  expect(readAuthenticate('L402 a="1"', 'LSAT a="1"', 'Payment id="1"')).toEqual(['mpp', 'l402']);
});

test('finds vendor-specific headers and bodies', () => {
  expect(
    readDialects([
      ['X-402-Price', '1'],
      ['x-402-address', '0x'],
    ]),
  ).toEqual(['x-402-headers']);
  expect(readDialects([], '{"error":"payment_required","payment_options":[{}]}')).toEqual([
    'payment-options-body',
  ]);
  for (const body of ['{"payment_options":[]}', '{"payment_options":{}}', '[]', 'payment_options']) {
    expect(readDialects([], body)).toEqual([]);
  }
});

test('parsing of any text is fast and never throws', () => {
  for (const text of ['"', '\\"', '"\\', ', ', ',\t', 'payment ', ', payment', 'payment ,'].map((part) =>
    part.repeat(200_000),
  )) {
    readAuthenticate(text);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      readAuthenticate(text);
    }),
  );
});
