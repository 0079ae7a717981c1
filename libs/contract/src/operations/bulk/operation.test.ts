import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCheck, readMessages } from '../../testing/schema-checks.ts';
import {
  BULK_SCHEMAS,
  BULK_SIZES,
  bulkSchema,
  chooseBulkSize,
  createBulkInputSchema,
  MAX_BULK_RESOURCES,
} from './operation.ts';

const resource = 'https://api.example.com/v1/weather';
const listResources = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${resource}/${String(at)}`);

describe('chooseBulkSize', () => {
  it('returns the smallest size that fits', () => {
    expect(BULK_SIZES.at(-1)).toBe(MAX_BULK_RESOURCES);
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
});

describe.each(BULK_SIZES)('a bulk request for at most %d endpoints', (size) => {
  const input = createBulkInputSchema(size);
  const accepts = createCheck(`x402-trust-bulk-${size}-request`);

  it('has 1 to the maximum number of URLs, of which some may be equal', () => {
    for (const resources of [listResources(size), [resource], [resource, resource]]) {
      expect(input.parse({ body: { resources }, query: {} })).toEqual({ resources });
      expect(accepts({ resources })).toBe(true);
    }
  });

  it.each([
    [listResources(size + 1), `a list of ${String(size + 1)} items`],
    [[], 'a list of 0 items'],
    [resource, `"${resource}"`],
  ])('is refused with the limit and the received value (%#)', (resources, received) => {
    expect(accepts({ resources })).toBe(false);
    expect(readMessages(input, { body: { resources } })).toEqual([
      `\`resources\` must be a list of 1 to ${String(size)} URLs of endpoints; received ${received}.`,
    ]);
  });

  it('is refused with the position of each wrong URL', () => {
    const expectation =
      'must be the full URL of the endpoint, such as https://api.example.com/v1/weather; received';
    expect(readMessages(input, { body: { resources: [resource, 'weather', 7] } })).toEqual([
      `\`resources.1\` ${expectation} "weather".`,
      `\`resources.2\` ${expectation} 7.`,
    ]);
  });
});

const BULK_EXAMPLE = BULK_SCHEMAS['x402-trust-bulk'].example;
const acceptsBulk = createCheck('x402-trust-bulk');

describe('a bulk response', () => {
  const [found, , unknown] = BULK_EXAMPLE.results;
  const acceptsResult = (result: object): boolean => acceptsBulk({ ...BULK_EXAMPLE, results: [result] });

  it('has the same members for known and unknown endpoints', () => {
    expect(Object.keys(unknown ?? {})).toEqual(Object.keys(found ?? {}));
    expect(acceptsResult({ ...unknown })).toBe(true);
    expect(acceptsResult({ resource: 'https://unknown.example.org/', found: false })).toBe(false);
  });

  it.each([{ error_flags: ['Down now'] }, { score: '91.9' }, { grade: 'E' }, { warnings: 1 }])(
    'has no value outside of the limits: %j',
    (change) => {
      expect(acceptsResult({ ...found, ...change })).toBe(false);
    },
  );

  it('is smaller than 400 KB for 500 endpoints with URLs of 128 characters, which fit into a request', () => {
    const resource = `https://api.example.com/${'p'.repeat(104)}`;
    const result = { ...found, resource, error_flags: ['down-now', 'not-payable', 'asset-not-usdc'] };
    const full = {
      ...BULK_EXAMPLE,
      count: 500,
      found: 500,
      results: Array.from({ length: 500 }, () => result),
    };
    expect(bulkSchema.safeParse(full).success).toBe(true);
    expect(JSON.stringify(full).length).toBeLessThan(400_000);
    expect(JSON.stringify({ resources: full.results.map((each) => each.resource) }).length).toBeGreaterThan(
      65_000,
    );
  });
});
