import { expect, test } from 'vitest';
import { base58 } from './base58.ts';

test.each([
  ['Hello World!', '2NEpo7TZRRrLZSi2U'],
  [
    'The quick brown fox jumps over the lazy dog.',
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  ],
])('encodes the published vector for %j', (text, expected) => {
  expect(base58(Buffer.from(text))).toBe(expected);
});

test('keeps leading zero bytes', () => {
  expect(base58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
  expect(base58(new Uint8Array(3))).toBe('111');
  expect(base58(new Uint8Array(0))).toBe('');
});
