import { readChallenge } from '@touchstone/x402';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { verifyTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { selectOption, type ObservedOption } from './select-option.ts';
import { signPayment } from './sign-payment.ts';

const NETWORK = 'eip155:8453';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = `0x${'1a'.repeat(20)}`;
const URL = 'https://api.example.com/weather';
const OFFER = {
  scheme: 'exact',
  network: NETWORK,
  amount: '10000',
  asset: USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};
const OBSERVED: ObservedOption = { network: NETWORK, asset: USDC, payTo: PAY_TO, amount: '10000' };
const account = privateKeyToAccount(generatePrivateKey());
const NOW = Date.now();

const makeV2 = (...accepts: readonly object[]) => {
  const terms = { x402Version: 2, error: 'Payment required', resource: { url: URL }, accepts };
  const header = Buffer.from(JSON.stringify(terms)).toString('base64');
  return { headers: [['payment-required', header]] as const, body: '{}' };
};
const makeV1 = () => {
  const { amount, ...offer } = OFFER;
  const texts = { resource: URL, description: 'Weather', mimeType: 'application/json' };
  const accepts = [{ ...offer, ...texts, network: 'base', maxAmountRequired: amount }];
  return { headers: [], body: JSON.stringify({ x402Version: 1, error: 'Payment required', accepts }) };
};
type Response = ReturnType<typeof makeV2> | ReturnType<typeof makeV1>;
const select = (response: Response, observed: readonly ObservedOption[] = [OBSERVED], networks = [NETWORK]) =>
  selectOption(readChallenge({ url: URL, method: 'GET', status: 402, ...response }), { networks, observed });
const OPTION = {
  ...{ network: NETWORK, asset: USDC.toLowerCase(), payTo: PAY_TO },
  ...{ amount: 10_000n, amountUsd: '0.010000' },
};

describe('the payment option', () => {
  it.each([
    ['version 2', makeV2(OFFER)],
    ['version 1', makeV1()],
    ['another option of another network', makeV2({ ...OFFER, network: 'eip155:137' }, OFFER)],
  ])('is found in a challenge of %s', (_, response) => {
    expect(select(response)).toEqual(OPTION);
  });

  it('is the cheapest of the observed options', () => {
    const cheap = { ...OFFER, amount: '5000' };
    expect(select(makeV2(OFFER, cheap), [OBSERVED, { ...OBSERVED, amount: '5000' }])?.amount).toBe(5_000n);
    expect(select(makeV2(OFFER, cheap))?.amount).toBe(10_000n);
  });

  it.each([
    ['another scheme', { scheme: 'upto' }],
    ['another network', { network: 'eip155:137' }],
    ['another token', { asset: `0x${'2'.repeat(40)}` }],
    ['another recipient than observed', { payTo: `0x${'3'.repeat(40)}` }],
    ['another price than observed', { amount: '10001' }],
    ['a validity of more than an hour', { maxTimeoutSeconds: 3_601 }],
    ['another transfer method', { extra: { ...OFFER.extra, assetTransferMethod: 'permit2' } }],
    ['another payment flow', { extra: { ...OFFER.extra, paymentFlow: 'prepaid' } }],
    ['an EIP-712 name that the token rejects', { extra: { name: 'Coin', version: '2' } }],
  ])('does not have %s', (_, change) => {
    expect(select(makeV2({ ...OFFER, ...change }))).toBeNull();
  });

  it('is on a network of the wallet', () => {
    expect(select(makeV2(OFFER), [OBSERVED], ['eip155:137'])).toBeNull();
  });
});

describe('the signed payment', () => {
  it('transfers the price to the recipient once, until the end of its validity', async () => {
    const { headers, nonce, validBefore } = await signPayment(makeV2(OFFER), {
      option: OPTION,
      account,
      now: NOW,
    });
    const { payload } = decodePaymentSignatureHeader(headers['PAYMENT-SIGNATURE'] ?? '');
    const authorization = payload['authorization'] as Record<string, string>;
    expect(authorization).toMatchObject({ from: account.address, value: '10000', nonce });
    expect(validBefore).toBe(Number(authorization['validBefore']) * 1_000);
    expect(Math.abs(validBefore - NOW - 60_000)).toBeLessThan(10_000);
    const isValid = await verifyTypedData({
      address: account.address,
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
      types: {
        TransferWithAuthorization: ['from address', 'to address', 'value uint256', 'validAfter uint256']
          .concat(['validBefore uint256', 'nonce bytes32'])
          .map((member) => ({ name: member.split(' ')[0] ?? '', type: member.split(' ')[1] ?? '' })),
      },
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature: payload['signature'] as `0x${string}`,
    });
    expect(isValid).toBe(true);
  });

  it('has the header of its protocol version', async () => {
    const { headers } = await signPayment(makeV1(), { option: OPTION, account, now: NOW });
    expect(Object.keys(headers)).toEqual(['X-PAYMENT']);
  });

  it('is for the selected option, even if the challenge prefers another one', async () => {
    const dear = { ...OFFER, amount: '99000000' };
    const { headers } = await signPayment(makeV2(dear, OFFER), { option: OPTION, account, now: NOW });
    const { accepted } = decodePaymentSignatureHeader(headers['PAYMENT-SIGNATURE'] ?? '');
    expect(accepted.amount).toBe('10000');
  });

  it('is refused without the selected option in the challenge', async () => {
    const option = { ...OPTION, amount: 9_999n };
    await expect(signPayment(makeV2(OFFER), { option, account, now: NOW })).rejects.toThrow();
  });
});
