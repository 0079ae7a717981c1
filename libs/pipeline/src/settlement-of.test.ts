import type { PayOn, SetFigures, WalletFigures } from '@touchstone/store';
import { canonicalUsdc } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { settlementOf, walletsOf } from './settlement-of.ts';

const [BASE, POLYGON] = ['eip155:8453', 'eip155:137'];
const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';

/** An offer in USDC unless another token is named. */
function option(network: string, payTo: string, asset = canonicalUsdc(network)?.asset ?? '0xother'): PayOn {
  return {
    ...{ scheme: 'exact', network, asset, assetSymbol: null, decimals: 6 },
    ...{ amount: '1000', amountUsd: '0.001000', payTo },
  };
}

const PAID = { volume: 2_500_000n, settlements: 9, payers: 3, topPayerShare: 0.5, lastSettledAt: 5 };
const NOBODY = { volume: 0n, settlements: 0, payers: 0, topPayerShare: 0, lastSettledAt: null };
const self = { volume: 0n, settlements: 0 };

function row(network: string, payTo: string, figures: typeof PAID | typeof NOBODY | null): WalletFigures {
  return { network, payTo, throughBlock: 77n, throughAt: 1, figures: figures && { ...figures, self } };
}
function setOf(total: SetFigures['total'], ...wallets: WalletFigures[]): SetFigures {
  return { wallets, total };
}

describe('walletsOf', () => {
  it('has each wallet once, as it is advertised first, and counts those that are paid in USDC', () => {
    const options = [
      option(BASE, '0xAb'),
      option(BASE, '0xaB'),
      option(BASE, '0xcd', EURC),
      option(BASE, '0xab', EURC),
      option('eip155:999999', '0xab'),
      option('solana:x', 'Ab'),
    ];
    expect(walletsOf(options)).toEqual([
      { network: BASE, payTo: '0xAb', counts: true },
      { network: BASE, payTo: '0xcd', counts: false },
      { network: 'eip155:999999', payTo: '0xab', counts: false },
      { network: 'solana:x', payTo: 'Ab', counts: false },
    ]);
  });

  it('counts no more than sixteen, and names a hundred', () => {
    const many = Array.from({ length: 300 }, (_, index) => option(BASE, `0x${index}`));
    const wallets = walletsOf([...many, ...many]);
    expect(wallets).toHaveLength(100);
    expect(wallets.filter(({ counts }) => counts)).toHaveLength(16);
  });
});

describe('settlementOf', () => {
  it('knows nothing where nothing was read, which is not zero', () => {
    expect(settlementOf([], setOf(null))).toEqual({ inputs: null, networksRead: 0, facts: null });
    expect(settlementOf([option(BASE, '0xA')], setOf(null, row(BASE, '0xa', null)))).toEqual({
      inputs: null,
      networksRead: 0,
      facts: {
        ...{ payTo: '0xA', network: BASE, settlements30d: null, lastSettledAt: null, throughBlock: null },
        wallets: [],
      },
    });
    expect(settlementOf([option(BASE, '0xA')], setOf(NOBODY, row(BASE, '0xa', NOBODY)))).toMatchObject({
      inputs: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      networksRead: 1,
      facts: { settlements30d: 0, throughBlock: 77 },
    });
  });

  it.each([
    ['a network', option(POLYGON, '0xa'), { rest: [row(POLYGON, '0xa', null)], networksRead: 0.5 }],
    ['a wallet', option(BASE, '0xb'), { rest: [row(BASE, '0xb', null)], networksRead: 1 }],
    ['another token at the same wallet', option(BASE, '0xa', EURC), { rest: [], networksRead: 1 }],
  ] as const)(
    'has no zero, and at least so much, where %s was not read',
    (_, other, { rest, networksRead }) => {
      const options = [option(BASE, '0xa'), other];
      const none = settlementOf(options, setOf(NOBODY, row(BASE, '0xa', NOBODY), ...rest));
      expect(none).toMatchObject({ inputs: null, networksRead });
      expect(settlementOf(options, setOf(PAID, row(BASE, '0xa', PAID), ...rest))).toMatchObject({
        inputs: { volumeUsd30d: 2.5, payers30d: 3, topPayerShare: 0.5, partial: true },
        networksRead,
      });
    },
  );

  it('has the sums of all wallets, and every wallet, and names the first that was read', () => {
    const options = [option('eip155:999999', '0xC'), option(POLYGON, '0xA'), option(BASE, '0xB')];
    const total = { volume: 4_000_000n, settlements: 12, payers: 3, topPayerShare: 0.625, lastSettledAt: 9 };
    const more = { volume: 1_500_000n, settlements: 3, payers: 2, topPayerShare: 0.9, lastSettledAt: 9 };
    const set = setOf(total, row(BASE, '0xb', PAID), row(POLYGON, '0xa', more));
    const { inputs, networksRead, facts } = settlementOf(options, set);
    expect(inputs).toEqual({ volumeUsd30d: 4, payers30d: 3, topPayerShare: 0.625, partial: true });
    expect(networksRead).toBeCloseTo(2 / 3, 12);
    expect(facts).toEqual({
      ...{ payTo: '0xA', network: POLYGON, settlements30d: 12, lastSettledAt: 9, throughBlock: 77 },
      wallets: [
        {
          ...{ payTo: '0xC', network: 'eip155:999999', volumeUsd30d: null, settlements30d: null },
          ...{ payers30d: null, topPayerShare: null, lastSettledAt: null, throughBlock: null },
        },
        {
          ...{ payTo: '0xA', network: POLYGON, volumeUsd30d: 1.5, settlements30d: 3, payers30d: 2 },
          ...{ topPayerShare: 0.9, lastSettledAt: 9, throughBlock: 77 },
        },
        {
          ...{ payTo: '0xB', network: BASE, volumeUsd30d: 2.5, settlements30d: 9, payers30d: 3 },
          ...{ topPayerShare: 0.5, lastSettledAt: 5, throughBlock: 77 },
        },
      ],
    });
  });
});
