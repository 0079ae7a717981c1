import { encodePaymentRequiredHeader } from '@x402/core/http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../operations/operations.ts';
import { toExamplePath } from '../operations/operation-model.ts';
import {
  toAtomicUnits,
  createChallengeExample,
  PAYMENT_VALIDITY_SECONDS,
  PAYMENT_REQUIRED_SCHEMAS,
  paymentRequiredSchema,
} from './challenge.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import { WATCH_ID_EXAMPLE } from '../operations/watch/watch-ids.ts';

const BASE = 'https://touchstone.example';
/** Length of a long public origin, in characters. */
const LONG_ORIGIN_CHARACTERS = 100;
const discoverySchema = z.object({
  bazaar: z.object({
    info: z.object({ input: z.record(z.string(), z.unknown()), output: z.unknown() }),
    schema: z.record(z.string(), z.unknown()),
  }),
});
const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);

describe('the example of a challenge', () => {
  it.each(paid)('of $path has its own URL, price, description and body', (operation) => {
    const challenge = createChallengeExample(operation, BASE);
    expect(paymentRequiredSchema.parse(challenge)).toEqual(challenge);
    expect(challenge).toMatchObject({
      resource: { url: `${BASE}${toExamplePath(operation)}`, description: operation.description },
      accepts: [
        { amount: toAtomicUnits(operation.priceUsd, 6), maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS },
      ],
      extensions: { bazaar: { info: { input: { body: operation.requestBody?.example ?? {} } } } },
    });
  });

  it('describes a path parameter by the template of the route, an example and its schema', () => {
    const renewal = paid.find(({ id }) => id === 'renewWatch');
    const { bazaar } = renewal === undefined ? {} : createChallengeExample(renewal, BASE).extensions;
    const id = WATCH_ID_EXAMPLE;
    expect(bazaar).toMatchObject({
      routeTemplate: '/v1/watch/:id/renew',
      info: { input: { method: 'POST', pathParams: { id } } },
      schema: {
        properties: {
          input: {
            properties: { pathParams: { required: ['id'], properties: { id: { type: 'string' } } } },
            required: ['type', 'method', 'bodyType', 'body', 'pathParams'],
          },
        },
      },
    });
  });

  it.each(paid)('of $path has an input that matches its schema', (operation) => {
    const { info, schema } = discoverySchema.parse(createChallengeExample(operation, BASE).extensions).bazaar;
    const validate = createStrictAjv().compile(schema);
    expect([validate(info), validate.errors]).toEqual([true, null]);
    expect(validate({ ...info, input: { ...info.input, pathParams: { id: '' } } })).toBe(false);
  });

  it.each(paid)('of $path has a header of at most 3,500 characters with a long origin', (operation) => {
    const origin = `https://${'a'.repeat(LONG_ORIGIN_CHARACTERS - 'https://.example'.length)}.example`;
    const challenge = createChallengeExample(operation, origin);
    // The longest error code of the x402 SDK for a refused payment.
    const error = 'invalid_exact_evm_payload_authorization_valid_before';
    expect(challenge.resource.url).toHaveLength(LONG_ORIGIN_CHARACTERS + toExamplePath(operation).length);
    const accepts = challenge.accepts.map((terms) => ({ ...terms, network: 'eip155:8453' as const }));
    const header = encodePaymentRequiredHeader({ ...challenge, error, accepts });
    expect(header.length).toBeGreaterThan(1_000);
    // nginx accepts 4,096 bytes of headers by default. A response has about 600 bytes of other headers.
    expect(header.length).toBeLessThanOrEqual(3_500);
  });

  it('has the same validity as the short example, and does not exist for a free operation', () => {
    expect(PAYMENT_REQUIRED_SCHEMAS['payment-required'].example.accepts).toMatchObject([
      { maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS },
    ]);
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
