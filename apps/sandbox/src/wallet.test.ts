import { expect, test } from 'vitest';
import { walletAddress } from './wallet.ts';

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

test('an EVM wallet is an all-lower-case address', () => {
  expect(walletAddress('seed', 'skyfall', BASE)).toMatch(/^0x[0-9a-f]{40}$/);
});

test('a Solana wallet is 32 bytes in base58', () => {
  expect(walletAddress('seed', 'skyfall', SOLANA)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
});

test('seed and label decide the wallet, the EVM network does not', () => {
  expect(walletAddress('seed', 'a', BASE)).toBe(walletAddress('seed', 'a', 'eip155:137'));
  expect(walletAddress('seed', 'a', BASE)).not.toBe(walletAddress('seed', 'b', BASE));
  expect(walletAddress('seed', 'a', BASE)).not.toBe(walletAddress('other', 'a', BASE));
});
