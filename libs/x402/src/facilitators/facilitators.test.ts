import { describe, expect, test } from 'vitest';
import {
  FACILITATOR_ROWS,
  findFacilitator,
  isCdpNetwork,
  listMainNetworkNames,
  settlesOn,
} from './facilitators.ts';
import { toCaip2 } from '../networks/networks.ts';

describe('the CDP facilitator', () => {
  test.each(['base', 'polygon', 'eip155:42161', 'monad', 'eip155:480', 'solana'])(
    'settles on %s',
    (network) => {
      expect(isCdpNetwork(toCaip2(network))).toBe(true);
    },
  );

  test.each(['base-sepolia', 'eip155:4801', 'solana-devnet'])('settles on the test network %s', (network) => {
    expect(isCdpNetwork(toCaip2(network))).toBe(true);
  });

  test.each(['polygon-amoy', 'eip155:421614', 'ethereum', 'avalanche', 'solana-testnet', '', '__proto__'])(
    'does not settle on %j',
    (network) => expect(isCdpNetwork(toCaip2(network))).toBe(false),
  );

  test('settles only payments with its schemes', () => {
    expect(settlesOn('coinbase', 'eip155:8453', 'upto')).toBe(true);
    expect(settlesOn('coinbase', toCaip2('solana'), 'upto')).toBe(false);
    expect(settlesOn('coinbase', 'eip155:8453', 'auth-capture')).toBe(false);
  });

  test('has names for its main networks', () => {
    expect(listMainNetworkNames('coinbase')).toEqual([
      ...['Base', 'Polygon', 'Arbitrum One', 'Monad', 'World Chain', 'Solana'],
    ]);
  });
});

test('finds a facilitator by its address, on EVM networks in any case', () => {
  const address = '0x179761d9eed0f0d1599330cc94b0926e68ae87f1';
  expect(findFacilitator('eip155:8453', `0x${address.slice(2).toUpperCase()}`)).toBe('anyspend');
  expect(findFacilitator('eip155:137', address)).toBeNull();
  expect(findFacilitator('eip155:8453', '__proto__')).toBeNull();
});

test('no two facilitators share an address, and every fact has a source with a day', () => {
  const keys = FACILITATOR_ROWS.flatMap(([, { addresses }]) =>
    Object.entries(addresses).flatMap(([network, list]) =>
      list
        .trim()
        .split(/\s+/)
        .map((address) => `${network} ${address.toLowerCase()}`),
    ),
  );
  expect(new Set(keys).size).toBe(keys.length);
  const facts = FACILITATOR_ROWS.flatMap(([, { support, limits }]) =>
    [support, limits?.description, limits?.amount].filter((fact) => fact !== undefined),
  );
  for (const { sources, readOn } of facts) {
    expect(sources).not.toEqual([]);
    for (const url of sources) expect(`${readOn} ${url}`).toMatch(/^\d{4}-\d\d-\d\d https:\/\//);
  }
});
