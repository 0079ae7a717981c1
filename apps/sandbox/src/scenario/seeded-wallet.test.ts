import { expect, test } from 'vitest';
import { deriveWalletAddress } from './seeded-wallet.ts';

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

test('an EVM wallet is a lower-case address', () => {
  expect(deriveWalletAddress('seed', 'skyfall', BASE)).toMatch(/^0x[0-9a-f]{40}$/);
});

test('a Solana wallet is 32 bytes in base58', () => {
  expect(deriveWalletAddress('seed', 'skyfall', SOLANA)).toBe('JAZfvgC9i4rVtDZqt3YdR5Q5AdbTaoQcjQoqZ8ucwsPL');
});

test('an EVM wallet depends on the seed and the label but not on the network', () => {
  expect(deriveWalletAddress('seed', 'a', BASE)).toBe(deriveWalletAddress('seed', 'a', 'eip155:137'));
  expect(deriveWalletAddress('seed', 'a', BASE)).not.toBe(deriveWalletAddress('seed', 'b', BASE));
  expect(deriveWalletAddress('seed', 'a', BASE)).not.toBe(deriveWalletAddress('other', 'a', BASE));
});
