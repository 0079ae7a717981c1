import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { describe, expect, test } from 'vitest';
import { injectFault } from './challenge-response.ts';

const offer = {
  scheme: 'exact',
  asset: '0x00',
  payTo: '0x01',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin' },
};
const v1 = {
  x402Version: 1,
  accepts: [
    {
      ...offer,
      network: 'base',
      maxAmountRequired: '5',
      resource: 'https://a.test/',
      description: '',
      mimeType: 'a/b',
    },
  ],
};
const v2 = {
  x402Version: 2,
  resource: { url: 'https://a.test/' },
  accepts: [{ ...offer, network: 'eip155:1', amount: '5' }],
};

test('both challenges are valid without a fault', () => {
  expect(PaymentRequiredV1Schema.safeParse(v1).success).toBe(true);
  expect(PaymentRequiredV2Schema.safeParse(v2).success).toBe(true);
});

describe.each(['no-pay-to', 'no-amount', 'amount-number', 'no-accepts'] as const)('%s', (fault) => {
  test('makes the reference schemas of both versions reject the challenge', () => {
    expect(PaymentRequiredV1Schema.safeParse(injectFault(v1, fault)).success).toBe(false);
    expect(PaymentRequiredV2Schema.safeParse(injectFault(v2, fault)).success).toBe(false);
  });
});

test('each fault changes only its own member', () => {
  expect(injectFault(v2, 'no-pay-to')).toEqual({
    ...v2,
    accepts: [{ ...v2.accepts[0], payTo: undefined }],
  });
  expect(injectFault(v2, 'amount-number')).toEqual({ ...v2, accepts: [{ ...v2.accepts[0], amount: 5 }] });
  expect(injectFault(v2, 'no-extra')).toEqual({
    ...v2,
    accepts: [{ ...v2.accepts[0], extra: undefined }],
  });
  expect(injectFault(v2, 'no-resource')).toEqual({ x402Version: 2, accepts: v2.accepts });
  expect(injectFault(v1, 'no-mime-type')).toEqual({
    ...v1,
    accepts: [{ ...v1.accepts[0], mimeType: undefined }],
  });
});
