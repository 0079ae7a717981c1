import { describe, expect, it } from 'vitest';
import { shortenAddress } from './shorten-address.ts';

describe('shortenAddress', () => {
  it('keeps the beginning and the end', () => {
    expect(shortenAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe('0x8335…2913');
  });

  it.each(['', '0x0', '0x833589fCD6eD'])('returns %j unchanged', (address) => {
    expect(shortenAddress(address)).toBe(address);
  });

  it('does not split a character', () => {
    expect(shortenAddress('😀'.repeat(20)).isWellFormed()).toBe(true);
  });
});
