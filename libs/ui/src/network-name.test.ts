import { describe, expect, it } from 'vitest';
import { networkName } from './network-name.ts';

describe('networkName', () => {
  it('names the networks endpoints are paid on', () => {
    expect(networkName('eip155:8453')).toBe('Base');
    expect(networkName('eip155:137')).toBe('Polygon');
    expect(networkName('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe('Solana');
  });

  it('tells a test network from the one it is named after', () => {
    expect(networkName('eip155:84532')).toBe('Base Sepolia');
  });

  it.each(['eip155:999999999', 'base', '', '__proto__', 'constructor'])('has no name for %j', (network) => {
    expect(networkName(network)).toBeNull();
  });
});
