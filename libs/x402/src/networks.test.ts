import { describe, expect, test } from 'vitest';
import { caip2Of, isCdpNetwork, isInV1Client, isNamedNetwork, isTestnet, isV1Name } from './networks.ts';

describe('caip2Of', () => {
  test('knows the names of version 1, in any case', () => {
    expect(caip2Of('base')).toBe('eip155:8453');
    expect(caip2Of('Base-Sepolia')).toBe('eip155:84532');
    expect(caip2Of('solana')).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');
  });

  test('leaves everything else as it was', () => {
    for (const text of [
      'eip155:8453',
      'cloudflare:402',
      '0g-galileo',
      '',
      '__proto__',
      'constructor',
      'toString',
    ]) {
      expect(caip2Of(text)).toBe(text);
    }
  });
});

test('the closed list of the version 1 client has seventeen names, and other names are still understood', () => {
  const names = ['base', 'polygon', 'solana', 'skale-base-sepolia', 'peaq', 'educhain', 'story', 'iotex'];
  expect(names.every(isInV1Client)).toBe(true);
  expect(['ethereum', 'monad', 'celo', 'eip155:8453', 'hasOwnProperty'].some(isInV1Client)).toBe(false);
  expect(isV1Name('monad')).toBe(true);
  expect(isV1Name('BASE')).toBe(false);
});

test('a CAIP-2 id is named when version 1 has a name for it', () => {
  expect(isNamedNetwork('eip155:8453')).toBe(true);
  expect(isNamedNetwork('eip155:42161')).toBe(false);
});

test('a test network is told from a main one by its id, never by its name', () => {
  for (const name of ['base-sepolia', 'polygon-amoy', 'avalanche-fuji', 'solana-devnet', 'sei-testnet']) {
    expect(isTestnet(caip2Of(name))).toBe(true);
    expect(isTestnet(name)).toBe(false);
  }
  for (const name of ['base', 'polygon', 'solana', 'sei', 'nowhere'])
    expect(isTestnet(caip2Of(name))).toBe(false);
});

test('every network that version 1 calls a test network is one', () => {
  const names = ['abstract-testnet', 'sepolia', 'skale-base-sepolia', 'solana-testnet', 'stable-testnet'];
  expect(names.map(caip2Of).every(isTestnet)).toBe(true);
});

test('the CDP facilitator settles on ten networks', () => {
  expect(['eip155:8453', 'eip155:480', caip2Of('solana')].every(isCdpNetwork)).toBe(true);
  expect(['eip155:1', 'eip155:43114', caip2Of('solana-testnet'), ''].some(isCdpNetwork)).toBe(false);
});
