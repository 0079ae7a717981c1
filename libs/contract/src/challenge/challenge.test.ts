import { describe, expect, it } from 'vitest';
import { PAYMENT_REQUIRED_EXAMPLE } from '../examples/payment-required.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { paymentRequiredSchema } from '../responses/payment-required.ts';
import { toAtomicUnits } from './atomic-units.ts';
import { createChallengeExample } from './challenge.ts';
import { PAYMENT_VALIDITY_SECONDS } from './payment-validity.ts';

const BASE = 'https://touchstone.example';
const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);

describe('the example of a challenge', () => {
  it.each(paid)('of $path has its own URL, price, description and body', (operation) => {
    const challenge = createChallengeExample(operation, BASE);
    expect(paymentRequiredSchema.parse(challenge)).toEqual(challenge);
    expect(challenge).toMatchObject({
      resource: { url: `${BASE}${operation.path}`, description: operation.description },
      accepts: [
        { amount: toAtomicUnits(operation.priceUsd, 6), maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS },
      ],
      extensions: { bazaar: { info: { input: { body: operation.requestBody?.example } } } },
    });
  });

  it('differs between operations, and has the same validity as the short example', () => {
    const challenges = paid.map((operation) => JSON.stringify(createChallengeExample(operation, BASE)));
    expect(new Set(challenges).size).toBe(paid.length);
    expect(PAYMENT_REQUIRED_EXAMPLE.accepts).toMatchObject([{ maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS }]);
  });

  it('does not exist for a free operation', () => {
    const [free] = OPERATIONS.filter(({ priceUsd }) => priceUsd === null);
    expect(() => free && createChallengeExample(free, BASE)).toThrow('a paid operation needs a price');
  });
});

describe('toAtomicUnits', () => {
  it.each([
    ['0.005000', 6, '5000'],
    ['0.02', 6, '20000'],
    ['12.5', 18, '12500000000000000000'],
    ['0.000000', 6, '0'],
  ])('converts %s with %d decimals', (price, decimals, amount) => {
    expect(toAtomicUnits(price, decimals)).toBe(amount);
  });

  it.each([null, '', '5', '0.0000001', '-1.0', '1e-3'])('refuses %j', (price) => {
    expect(() => toAtomicUnits(price, 6)).toThrow('at most 6 decimals');
  });
});
