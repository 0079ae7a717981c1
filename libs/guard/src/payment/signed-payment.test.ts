import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { ExactEvmScheme } from '@x402/evm';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createRequirements, encode } from '../testing/seller.ts';
import { BASE, OTHER_PAY_TO, PAY_TO, USDC } from '../testing/touchstone.ts';
import { readOffer } from './challenge.ts';
import { findSignedOffers, readSignedPayment } from './signed-payment.ts';

/** Published test key. It signs payments of test tokens only. */
const ACCOUNT = privateKeyToAccount(`0x${'01'.repeat(32)}`);
const permit2 = { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' };
const facilitatorAddress = `0x${'ab'.repeat(20)}`;
const channel = { ...permit2, receiverAuthorizer: PAY_TO, withdrawDelay: 86_400 };

/** Signs a payment with a client of the reference implementation. */
async function sign(scheme: string, extra: object = createRequirements().extra) {
  const accepted = { ...createRequirements(), scheme, extra };
  // The channel of a deposit is looked up on the chain, where it does not exist yet.
  const signer = { ...ACCOUNT, readContract: async () => [0n, 0n, 0n, 0n] };
  const clients = {
    exact: new ExactEvmScheme(signer),
    upto: new UptoEvmScheme(signer),
    'batch-settlement': new BatchSettlementEvmScheme(signer),
  } as const;
  const client = clients[scheme as keyof typeof clients];
  const { payload } = await client.createPaymentPayload(2, accepted as never, {});
  return { accepted, payload };
}

function read(accepted: object, payload: object) {
  return readSignedPayment(encode({ x402Version: 2, accepted, payload }));
}

const seconds = () => Math.floor(Date.now() / 1_000);
const NONCE = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
const DECIMAL = expect.stringMatching(/^[0-9]{1,78}$/) as string;

describe('readSignedPayment', () => {
  it.each<[string, object | undefined, object]>([
    ['exact', undefined, { kind: 'authorization', asset: null, nonce: NONCE }],
    ['exact', permit2, { kind: 'permit2', asset: USDC, nonce: DECIMAL }],
    ['upto', { ...permit2, facilitatorAddress }, { kind: 'permit2', asset: USDC, nonce: DECIMAL }],
    [
      'batch-settlement',
      { ...channel, assetTransferMethod: 'eip3009' },
      { kind: 'deposit', asset: USDC, amount: '50000', nonce: '' },
    ],
    ['batch-settlement', channel, { kind: 'deposit', asset: USDC, amount: '50000', nonce: DECIMAL }],
  ])('reads a payment that the reference client signed: %s %#', async (scheme, extra, expected) => {
    const { accepted, payload } = await sign(scheme, extra);
    const signed = read(accepted, payload);
    expect(signed).toMatchObject({ scheme, network: BASE });
    expect(signed?.transfer).toMatchObject({
      from: ACCOUNT.address,
      to: PAY_TO,
      amount: '10000',
      ...expected,
    });
    expect(Number(signed?.transfer?.validBefore) - seconds()).toBeGreaterThan(50);
    expect(Number(signed?.transfer?.validBefore) - seconds()).toBeLessThanOrEqual(60);
    expect(signed === null ? [] : findSignedOffers(signed, [])).toHaveLength(1);
  });

  it('reads a voucher, which moves no further money', async () => {
    const { accepted, payload } = await sign('batch-settlement', channel);
    const { deposit, ...voucher } = payload as { readonly deposit: object };
    expect(deposit).toBeDefined();
    expect(read(accepted, { ...voucher, type: 'voucher' })?.transfer).toMatchObject({
      ...{ kind: 'voucher', to: PAY_TO, amount: '0', validBefore: null },
    });
  });

  it.each<[string, (payload: Record<string, never>) => object]>([
    ['another spender', (permit) => ({ ...permit, spender: OTHER_PAY_TO })],
    ['no deadline', (permit) => ({ ...permit, deadline: undefined })],
    ['a deadline that is no number', (permit) => ({ ...permit, deadline: 'never' })],
  ])('refuses an allowance of Permit2 with %s', async (_name, change) => {
    for (const [scheme, extra] of [
      ['exact', permit2],
      ['upto', { ...permit2, facilitatorAddress }],
    ] as const) {
      const { accepted, payload } = await sign(scheme, extra);
      const permit = (payload as { readonly permit2Authorization: Record<string, never> })
        .permit2Authorization;
      expect(read(accepted, { ...payload, permit2Authorization: change(permit) })).toBeNull();
    }
  });

  it.each<[string, object]>([
    ['another recipient', { payTo: OTHER_PAY_TO }],
    ['another token', { asset: OTHER_PAY_TO }],
    ['another amount', { amount: '9999' }],
  ])('finds no offer for %s than the signed one', async (_name, change) => {
    for (const scheme of ['exact', 'upto']) {
      const { accepted, payload } = await sign(scheme, { ...permit2, facilitatorAddress });
      const signed = read({ ...accepted, ...change }, payload);
      expect(signed === null ? null : findSignedOffers(signed, [])).toEqual([]);
    }
  });

  it('reads version 1, and finds its offer among the offers of the challenge', async () => {
    const { payload } = await sign('exact');
    const signed = readSignedPayment(encode({ x402Version: 1, scheme: 'exact', network: 'base', payload }));
    const offer = readOffer(2, createRequirements({ network: 'base' }));
    const others = [createRequirements({ amount: '5' }), { ...createRequirements(), scheme: 'upto' }];
    expect(signed?.accepted).toBeNull();
    expect(signed && findSignedOffers(signed, [...others.map((each) => readOffer(2, each)), offer])).toEqual([
      offer,
    ]);
  });

  it('does not decode the payments of other networks', () => {
    const accepted = createRequirements({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' });
    expect(read(accepted, { transaction: 'AAAA' })?.transfer).toBeNull();
  });

  it('refuses other text, and signed values that it cannot read', async () => {
    const { accepted, payload } = await sign('exact');
    for (const header of [
      ...['', '*', encode({}), encode({ x402Version: 2 }), encode({ x402Version: 3, accepted: {} })],
      encode({ x402Version: 2, accepted, payload: {} }),
      encode({ x402Version: 2, accepted: { ...accepted, scheme: 'auth-capture' }, payload }),
      encode({ x402Version: 2, accepted: { ...accepted, scheme: 'batch-settlement' }, payload }),
    ])
      expect(readSignedPayment(header)).toBeNull();
  });
});
