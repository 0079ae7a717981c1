import { describe, expect, it } from 'vitest';
import { formatNetwork } from './network-name.ts';

describe('formatNetwork', () => {
  it('names known networks, unknown EVM networks by their chain id, and other networks by their id', () => {
    const networks = ['eip155:8453', 'eip155:99999', 'x\u202E1', 'near:mainnet', 'a'.repeat(50)];
    expect(networks.map(formatNetwork)).toEqual([
      'Base',
      'EVM chain 99999',
      'x1',
      'near:mainnet',
      `${'a'.repeat(40)}…`,
    ]);
  });
});
