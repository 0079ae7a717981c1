import type { WalletFigures } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { addUp } from './settlement-of.ts';

const [BASE, POLYGON] = ['eip155:8453', 'eip155:137'];

function wallet(
  network: string,
  figures: Partial<NonNullable<WalletFigures['figures']>> | null,
): WalletFigures {
  const nothing = { volume: 0n, settlements: 0, payers: 0, topPayerShare: 0, lastSettledAt: null };
  return {
    network,
    payTo: `wallet on ${network}`,
    throughBlock: 77n,
    throughAt: 1,
    figures: figures && { ...nothing, self: { volume: 0n, settlements: 0 }, ...figures },
  };
}

describe('addUp', () => {
  it('knows nothing where no wallet could be read, which is not zero', () => {
    expect(addUp([], [BASE])).toEqual({ inputs: null, networksRead: 0, facts: null });
    expect(addUp([wallet(BASE, null)], [BASE])).toEqual({
      inputs: null,
      networksRead: 0,
      facts: null,
    });
    expect(addUp([wallet(BASE, {})], [BASE])).toMatchObject({
      inputs: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      networksRead: 1,
    });
  });

  it('says how much of what is advertised was read', () => {
    const wallets = [
      wallet(BASE, { volume: 2_500_000n, payers: 3, topPayerShare: 0.5 }),
      wallet(POLYGON, null),
    ];
    expect(addUp(wallets, [BASE, POLYGON, 'solana:x', BASE])).toMatchObject({
      inputs: { volumeUsd30d: 2.5, payers30d: 3, topPayerShare: 0.5 },
      networksRead: 1 / 3,
    });
  });

  it('adds networks up, and names the wallet that was paid most', () => {
    const wallets = [
      wallet(POLYGON, { volume: 1_000_000n, settlements: 2, payers: 1, topPayerShare: 1, lastSettledAt: 9 }),
      wallet(BASE, { volume: 3_000_000n, settlements: 5, payers: 4, topPayerShare: 0.4, lastSettledAt: 5 }),
    ];
    expect(addUp(wallets, [BASE, POLYGON])).toEqual({
      inputs: { volumeUsd30d: 4, payers30d: 5, topPayerShare: 0.3 },
      networksRead: 1,
      facts: {
        payTo: `wallet on ${BASE}`,
        network: BASE,
        settlements30d: 7,
        lastSettledAt: 9,
        throughBlock: 77,
      },
    });
  });
});
