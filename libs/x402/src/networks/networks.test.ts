import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { describe, expect, test } from 'vitest';
import { NETWORKS } from './network-table.ts';
import {
  findNetwork,
  getNetworkName,
  hasV1Name,
  isInV1Client,
  isTestnet,
  isV1Name,
  parseNetwork,
  toCaip2,
} from './networks.ts';

describe('toCaip2', () => {
  test('converts every network name of the version 2 client', () => {
    for (const [name, id] of Object.entries(EVM_NETWORK_CHAIN_ID_MAP))
      expect(toCaip2(name)).toBe(`eip155:${String(id)}`);
  });

  test('converts version 1 names in any case', () => {
    expect(toCaip2('base')).toBe('eip155:8453');
    expect(toCaip2('Base-Sepolia')).toBe('eip155:84532');
    expect(toCaip2('solana')).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');
  });

  test('returns any other text unchanged', () => {
    for (const text of [
      ...['eip155:8453', 'cloudflare:402', '0g-galileo', '', '__proto__', 'constructor', 'toString'],
    ]) {
      expect(toCaip2(text)).toBe(text);
    }
  });
});

test.each([
  ...['8453', 'EIP155:8453', 'eip155:08453', '0x2105', '0X2105', 'base', 'Base'].map((text) => [
    text,
    'eip155:8453',
  ]),
  ['eip155:999999', 'eip155:999999'],
  ['SOLANA:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ...[
    ...['hedera:mainnet', 'stellar:pubnet', 'aptos:1', 'sui:mainnet', 'near:mainnet', 'tron:0x2b6653dc'],
    ...['tvm:-239', 'xrpl:0', 'starknet:SN_MAIN', 'bip122:000000000019d6689c085ae165831e93'],
  ].map((id) => [id, id]),
  ...[
    ...['', 'eip155:', 'eip155:base', ':8453', '-1', '8453.0', '0x', '0xz', 'basechain', '__proto__'],
    ...['solana:mainnet', 'base:mainnet', 'evm:8453', 'chain:8453', 'http://x', 'cloudflare:402'],
  ].map((text) => [text, null]),
])('parseNetwork reads %j as %j', (text, id) => {
  expect(parseNetwork(text ?? '')).toBe(id);
});

test('the version 1 client has a closed list of seventeen names; other version 1 names are still known', () => {
  const names = ['base', 'polygon', 'solana', 'skale-base-sepolia', 'peaq', 'educhain', 'story', 'iotex'];
  expect(names.every(isInV1Client)).toBe(true);
  expect(['ethereum', 'monad', 'celo', 'eip155:8453', 'hasOwnProperty'].some(isInV1Client)).toBe(false);
  expect(isV1Name('monad')).toBe(true);
  expect(isV1Name('BASE')).toBe(false);
  expect(Object.keys(NETWORKS).filter((id) => findNetwork(id)?.isInV1Client)).toHaveLength(17);
});

test('hasV1Name is true for a CAIP-2 id with a version 1 name', () => {
  expect(hasV1Name('eip155:8453')).toBe(true);
  expect(hasV1Name('eip155:42161')).toBe(false);
});

test('isTestnet recognises a test network by its CAIP-2 id, never by its name', () => {
  for (const name of ['base-sepolia', 'polygon-amoy', 'avalanche-fuji', 'solana-devnet', 'sei-testnet']) {
    expect(isTestnet(toCaip2(name))).toBe(true);
    expect(isTestnet(name)).toBe(false);
  }
  for (const name of ['base', 'polygon', 'solana', 'sei', 'nowhere'])
    expect(isTestnet(toCaip2(name))).toBe(false);
});

test('test networks are recognised by the CAIP-2 id of their version 1 name', () => {
  const names = ['abstract-testnet', 'sepolia', 'skale-base-sepolia', 'solana-testnet', 'stable-testnet'];
  expect(names.map(toCaip2).every(isTestnet)).toBe(true);
});

describe('getNetworkName', () => {
  test('names the networks that endpoints are paid on', () => {
    expect(getNetworkName('eip155:8453')).toBe('Base');
    expect(getNetworkName('eip155:137')).toBe('Polygon');
    expect(getNetworkName('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe('Solana');
  });

  test('distinguishes a test network from its main network', () => {
    expect(getNetworkName('eip155:84532')).toBe('Base Sepolia');
  });

  test.each(['eip155:999999999', 'base', '', '__proto__', 'constructor'])('has no name for %j', (network) => {
    expect(getNetworkName(network)).toBeNull();
    expect(findNetwork(network)).toBeNull();
  });
});

describe('the network table', () => {
  const rows = Object.keys(NETWORKS).map((id) => ({ id, ...findNetwork(id) }));

  test('is keyed by CAIP-2 ids', () => {
    for (const { id } of rows) expect(id).toMatch(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/);
  });

  test.each(['name', 'v1Name'] as const)('uses each %s for one network only', (member) => {
    const names = rows.flatMap((row) => row[member] ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has a version 1 name for every network that the version 1 client accepts', () => {
    for (const { v1Name, isInV1Client: isAccepted } of rows) {
      if (isAccepted) expect(v1Name).toBeDefined();
    }
  });
});
