import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSchema } from '../schemas/json-schema.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import {
  BULK_SIZES,
  chooseBulkSize,
  createBulkInputSchema,
  MAX_BULK_RESOURCES,
  toBulkPath,
} from './bulk-requests.ts';
import { createValidationProblem } from './validation-messages.ts';

const BASE = 'https://touchstone.example';
const resource = 'https://api.example.com/v1/weather';
const listResources = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${resource}/${String(at)}`);

describe('chooseBulkSize', () => {
  it('returns the smallest size that fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_BULK_RESOURCES }), (count) => {
        const size = chooseBulkSize(count);
        expect(size).toBeGreaterThanOrEqual(count);
        expect(BULK_SIZES.filter((other) => other >= count && other < size)).toEqual([]);
      }),
    );
  });

  it.each([0, -1, 501, 1.5, Number.NaN])('refuses %d', (count) => {
    expect(() => chooseBulkSize(count)).toThrow(RangeError);
  });

  it('has sizes up to the maximum of a response', () => {
    expect(BULK_SIZES.at(-1)).toBe(MAX_BULK_RESOURCES);
    expect(BULK_SIZES.map(toBulkPath)[1]).toBe('/v1/x402-trust-bulk-50');
  });
});

describe.each(BULK_SIZES)('a bulk request for at most %d endpoints', (size) => {
  const input = createBulkInputSchema(size);
  const published = createStrictAjv().compile(createJsonSchema(`x402-trust-bulk-${size}-request`, BASE));
  const readMessages = (body: unknown): readonly string[] => {
    const request = { body, query: {} };
    const { error } = input.safeParse(request);
    expect(published(body)).toBe(error === undefined);
    return (error && createValidationProblem(error, request).errors?.map(({ message }) => message)) ?? [];
  };

  it('has 1 to the maximum number of URLs, of which some may be equal', () => {
    expect(input.parse({ body: { resources: listResources(size) }, query: { utm: 'x' } })).toEqual({
      resources: listResources(size),
    });
    expect(readMessages({ resources: [resource] })).toEqual([]);
    expect(readMessages({ resources: [resource, resource] })).toEqual([]);
  });

  it('is refused with the limit and the received number', () => {
    const expectation = `\`resources\` must be a list of 1 to ${String(size)} URLs of endpoints`;
    expect(readMessages({ resources: listResources(size + 1) })).toEqual([
      `${expectation}; received a list of ${String(size + 1)} items.`,
    ]);
    expect(readMessages({ resources: [] })).toEqual([`${expectation}; received a list of 0 items.`]);
    expect(readMessages({ resources: resource })).toEqual([`${expectation}; received "${resource}".`]);
    expect(readMessages({})).toEqual([
      `\`resources\` is missing. Send a list of 1 to ${String(size)} URLs of endpoints.`,
    ]);
  });

  it('is refused with the position of each wrong URL', () => {
    expect(readMessages({ resources: [resource, 'weather', 7] })).toEqual([
      '`resources.1` must be the full URL of the endpoint, such as https://api.example.com/v1/weather; received "weather".',
      '`resources.2` must be the full URL of the endpoint, such as https://api.example.com/v1/weather; received 7.',
    ]);
  });
});
