import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBody, negotiateEncoding } from './content-encoding.ts';

describe('negotiateEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['gzip;q=high', 'identity'],
    [`${'x,'.repeat(200)}gzip`, 'identity'],
  ])('for %j returns %s', (header, expected) => {
    expect(negotiateEncoding(header)).toBe(expected);
    expect(negotiateEncoding(header)).toBe(expected);
  });

  it('returns an encoding for any header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(['br', 'gzip', 'identity']).toContain(negotiateEncoding(header));
      }),
    );
  });
});

it('encodes a body so that clients can decode it', async () => {
  const body = Buffer.from('<p>page</p>'.repeat(1000));
  expect(await encodeBody(body, 'identity')).toBe(body);
  expect(gunzipSync(await encodeBody(body, 'gzip'))).toEqual(body);
  expect(brotliDecompressSync(await encodeBody(body, 'br'))).toEqual(body);
});
