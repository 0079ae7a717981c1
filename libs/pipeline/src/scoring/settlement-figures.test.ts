import type { PayOn, SetFigures, WalletFigures } from '@touchstone/store';
import { findCanonicalUsdc } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { toEndpointSettlement, listWallets } from './settlement-figures.ts';

const [BASE, POLYGON] = ['eip155:8453', 'eip155:137'];
const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';

/** Creates a payment option, in USDC unless another token is given. */
function createOption(
  network: string,
  payTo: string,
  asset = findCanonicalUsdc(network)?.asset ?? '0xother',
): PayOn {
  return {
    ...{ scheme: 'exact', network, asset, assetSymbol: null, decimals: 6 },
    ...{ amount: '1000', amountUsd: '0.001000', payTo },
  };
}

const PAID = {
  ...{ volume: 2_500_000n, returned: 500_000n, settlements: 9, payers: 3, repeatPayers: 1 },
  ...{ topPayerShare: 0.5, lastSettledAt: 5, returnedBy: [] },
};
const UNPAID = {
  ...{ volume: 0n, returned: 0n, settlements: 0, payers: 0, repeatPayers: 0 },
  ...{ topPayerShare: 0, lastSettledAt: null, returnedBy: [] },
};
const self = { volume: 0n, settlements: 0 };

function createRow(
  network: string,
  payTo: string,
  figures: typeof PAID | typeof UNPAID | null,
): WalletFigures {
  return { network, payTo, throughBlock: 77n, throughAt: 1, figures: figures && { ...figures, self } };
}
function createSet(total: SetFigures['total'], ...wallets: WalletFigures[]): SetFigures {
  return { wallets, total };
}

describe('listWallets', () => {
  it('lists each wallet once, as first advertised, and counts those paid in USDC', () => {
    const options = [
      createOption(BASE, '0xAb'),
      createOption(BASE, '0xaB'),
      createOption(BASE, '0xcd', EURC),
      createOption(BASE, '0xab', EURC),
      createOption('eip155:999999', '0xab'),
      createOption('solana:x', 'Ab'),
    ];
    expect(listWallets(options)).toEqual([
      { network: BASE, payTo: '0xAb', isCounted: true },
      { network: BASE, payTo: '0xcd', isCounted: false },
      { network: 'eip155:999999', payTo: '0xab', isCounted: false },
      { network: 'solana:x', payTo: 'Ab', isCounted: false },
    ]);
  });

  it('counts at most 16 wallets and lists at most 100', () => {
    const many = Array.from({ length: 300 }, (_, index) => createOption(BASE, `0x${index}`));
    const wallets = listWallets([...many, ...many]);
    expect(wallets).toHaveLength(100);
    expect(wallets.filter(({ isCounted }) => isCounted)).toHaveLength(16);
  });
});

describe('toEndpointSettlement', () => {
  it('returns null, not zero, when nothing was read', () => {
    expect(toEndpointSettlement([], createSet(null))).toEqual({
      inputs: null,
      networksRead: null,
      facts: null,
    });
    expect(
      toEndpointSettlement([createOption(BASE, '0xA')], createSet(null, createRow(BASE, '0xa', null))),
    ).toEqual({
      inputs: null,
      networksRead: 0,
      facts: {
        ...{ payTo: '0xA', network: BASE, settlements30d: null, lastSettledAt: null, throughBlock: null },
        repeatPayers30d: null,
        wallets: [
          {
            ...{ payTo: '0xA', network: BASE, volumeUsd30d: null, settlements30d: null, payers30d: null },
            ...{ topPayerShare: null, lastSettledAt: null, throughBlock: null },
          },
        ],
      },
    });
    expect(
      toEndpointSettlement([createOption(BASE, '0xA')], createSet(UNPAID, createRow(BASE, '0xa', UNPAID))),
    ).toMatchObject({
      inputs: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      networksRead: 1,
      facts: { settlements30d: 0, throughBlock: 77, wallets: [{ payers30d: 0, topPayerShare: null }] },
    });
  });

  it.each([
    [
      'a network',
      createOption(POLYGON, '0xa'),
      { rest: [createRow(POLYGON, '0xa', null)], networksRead: 0.5 },
    ],
    ['a wallet', createOption(BASE, '0xb'), { rest: [createRow(BASE, '0xb', null)], networksRead: 1 }],
    ['another token at the same wallet', createOption(BASE, '0xa', EURC), { rest: [], networksRead: 1 }],
  ] as const)(
    'returns null instead of zero, and a partial sum, when %s was not read',
    (_, other, { rest, networksRead }) => {
      const options = [createOption(BASE, '0xa'), other];
      const none = toEndpointSettlement(options, createSet(UNPAID, createRow(BASE, '0xa', UNPAID), ...rest));
      expect(none).toMatchObject({ inputs: null, networksRead });
      expect(
        toEndpointSettlement(options, createSet(PAID, createRow(BASE, '0xa', PAID), ...rest)),
      ).toMatchObject({
        inputs: { volumeUsd30d: 2.5, payers30d: 3, topPayerShare: 0.5, partial: true },
        networksRead,
      });
    },
  );

  it('sums and lists all wallets, and uses the first wallet that was read as main wallet', () => {
    const options = [
      createOption('eip155:999999', '0xC'),
      createOption(POLYGON, '0xA'),
      createOption(BASE, '0xB'),
    ];
    const returnedBy = [{ network: BASE, wallet: '0xb', isFunded: false, volume: 500_000n }];
    const returned = { returned: 500_000n, returnedBy, repeatPayers: 1 };
    const total = {
      ...{ ...returned, volume: 4_000_000n, settlements: 12, payers: 3, topPayerShare: 0.625 },
      lastSettledAt: 9,
    };
    const more = {
      ...{ ...UNPAID, volume: 1_500_000n, settlements: 3, payers: 2, topPayerShare: 0.9 },
      lastSettledAt: 9,
    };
    const set = createSet(total, createRow(BASE, '0xb', PAID), createRow(POLYGON, '0xa', more));
    const { inputs, networksRead, facts } = toEndpointSettlement(options, set);
    expect(inputs).toEqual({
      ...{ volumeUsd30d: 4, returnedUsd30d: 0.5, payers30d: 3, topPayerShare: 0.625 },
      returnedBy: [{ network: BASE, address: '0xb', isFunded: false, returnedUsd30d: 0.5 }],
      partial: true,
    });
    expect(networksRead).toBeCloseTo(2 / 3, 12);
    expect(facts).toEqual({
      ...{ payTo: '0xA', network: POLYGON, settlements30d: 12, lastSettledAt: 9, throughBlock: 77 },
      repeatPayers30d: 1,
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
