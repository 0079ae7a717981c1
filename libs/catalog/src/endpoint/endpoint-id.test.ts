import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toEndpointId } from './endpoint-id.ts';

/** Reference implementation of base32 (RFC 4648): each character encodes five bits. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(group, 2))).join('');
}

it('has the expected value for a known URL', () => {
  // Computed with: printf https://api.example.com/v1/price | openssl dgst -sha256 -binary | base32 | tr A-Z a-z | cut
  // -c1-10
  expect(toEndpointId('https://api.example.com/v1/price')).toBe('d2ou4p6sf4');
});

it('is the beginning of the base32 form of the SHA-256 hash', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const hash = createHash('sha256').update(text).digest();
      expect(toEndpointId(text)).toBe(base32(hash).slice(0, 10).toLowerCase());
    }),
  );
});
