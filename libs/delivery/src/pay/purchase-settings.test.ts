import { describe, expect, it } from 'vitest';
import { deliveryBudgetSchema, deliveryKeySchema, toPurchaseSettings } from './purchase-settings.ts';

const KEY = '1'.repeat(64);
const BUDGET = 'purchase=0.05 endpoint=0.10 day=1 total=25';

describe('the wallet', () => {
  it.each([KEY, `0x${KEY}`, ` 0x${KEY}\n`])('is opened from a private key', (text) => {
    expect(deliveryKeySchema.parse(text).address).toBe('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
  });

  it.each(['', 'secret', '0x1234', '0'.repeat(64), 'f'.repeat(64), `0x0x${KEY}`])(
    'rejects %j without its text in the message',
    (text) => {
      const { error } = deliveryKeySchema.safeParse(text);
      expect(error?.issues.map(({ message }) => message)).toEqual([
        'must be a private key: 64 hexadecimal digits, with or without 0x',
      ]);
      if (text.length > 2) expect(error?.message).not.toContain(text);
    },
  );
});

describe('the budget', () => {
  it('has four limits in any order', () => {
    const budget = { purchase: '0.05', endpoint: '0.1', day: '1', total: '25' };
    expect(deliveryBudgetSchema.parse(BUDGET)).toEqual(budget);
    expect(deliveryBudgetSchema.parse(`${BUDGET.split(' ').toReversed().join('  ')} `)).toEqual(budget);
  });

  it.each([
    'purchase=0.05 endpoint=0.10 day=1',
    `${BUDGET} month=3`,
    `${BUDGET} day=2`,
    BUDGET.replace('0.05', '0'),
    BUDGET.replace('0.05', '-1'),
    BUDGET.replace('0.05', '$1'),
    BUDGET.replace('0.05', '1e3'),
    BUDGET.replace('=', ':'),
  ])('rejects %j', (text) => {
    expect(deliveryBudgetSchema.safeParse(text).error?.issues[0]?.message).toMatch(
      /^must have the limits purchase, endpoint, day and total in US dollars, such as/,
    );
  });
});

it('needs the wallet and the budget, or neither', () => {
  const [account, budget] = [deliveryKeySchema.parse(KEY), deliveryBudgetSchema.parse(BUDGET)];
  expect(toPurchaseSettings({ account, budget })).toEqual({ account, budget, skip: [] });
  expect(toPurchaseSettings({ account: undefined, budget: undefined })).toBeUndefined();
  for (const half of [
    { account, budget: undefined },
    { account: undefined, budget },
  ])
    expect(() => toPurchaseSettings(half)).toThrow('DELIVERY_KEY must be set together with DELIVERY_BUDGET.');
});

it('refuses the wallet that receives the payments of this service', () => {
  const [account, budget] = [deliveryKeySchema.parse(KEY), deliveryBudgetSchema.parse(BUDGET)];
  const settings = { account, budget, payTo: account.address.toLowerCase() };
  expect(() => toPurchaseSettings(settings)).toThrow(
    'DELIVERY_KEY must be the key of another wallet than X402_PAY_TO.',
  );
});
