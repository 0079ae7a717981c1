import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.ts';
import { createCheck } from '../testing/schema-checks.ts';
import {
  historyInputSchema,
  historyRequestSchema,
  historyQuerySchema,
} from '../operations/history/operation.ts';
import {
  trustQuerySchema,
  trustInputSchema,
  trustRequestSchema,
} from '../operations/trust-report/operation.ts';

const resource = 'https://api.example.com/v1/weather';
const acceptsTrust = createCheck('x402-trust-request');
const acceptsHistory = createCheck('x402-history-request');

describe('the days of a history', () => {
  it('default to 30', () => {
    expect(historyRequestSchema.parse({ resource })).toEqual({ resource, days: 30 });
    expect(acceptsHistory({ resource })).toBe(true);
  });

  it('must be a whole number from 1 to 90', () => {
    const values = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.double(), fc.integer(), fc.jsonValue());
    fc.assert(
      fc.property(values, (days) => {
        const isValid = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 90;
        expect(acceptsHistory({ resource, days })).toBe(isValid);
      }),
      { examples: [[0], [1], [90], [91]] },
    );
  });
});

describe('the resource', () => {
  it.each([
    [true, resource],
    [true, 'HTTPS://API.EXAMPLE.COM'],
    [true, 'http://a'],
    [true, 'https://api.example.com/{id}'],
    [true, 'https://example.com/é'],
    [true, 'https://example.com/a b'],
    [true, 'https://example.com/%E2%80%8B'],
    [true, `https://a/${'x'.repeat(2_038)}`],
    [false, `https://a/${'x'.repeat(2_039)}`],
    [false, ''],
    [false, 'api.example.com'],
    [false, 'https://'],
    [false, ' https://a'],
    [false, 'https://a '],
    [false, 'https://a\u00a0'],
    [false, 'https://a/\ud800'],
    [false, 'https://a/\udc00b'],
    [false, 'https://a/\u3164'],
    [false, 'https://a/\ufe0f'],
    [false, 'ftp://a'],
    [false, 'javascript:alert(1)'],
    [false, 7],
    [false, null],
    [false, undefined],
    [false, [resource]],
  ])('is valid: %s for %.60j', (isValid, value) => {
    expect([acceptsTrust({ resource: value }), acceptsHistory({ resource: value })]).toEqual([
      isValid,
      isValid,
    ]);
  });

  it('cannot contain an invisible character at any position', () => {
    const hidden = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[\p{Cf}\p{Cc}]/u.test(character));
    expect(hidden.length).toBeGreaterThan(200);
    for (const character of hidden) {
      for (const value of [
        `${resource}${character}`,
        `https://api.example.com/v1${character}/weather`,
        `${character}${resource}`,
      ])
        expect([value, acceptsTrust({ resource: value })]).toEqual([value, false]);
    }
  });
});

describe('the query', () => {
  const parse = (query: object) => trustInputSchema.safeParse({ body: { resource }, query });

  it('is merged with the body', () => {
    expect(parse({ detail: 'full' }).data).toEqual({ resource, detail: 'full' });
    const request = { body: { resource }, query: { resolution: 'daily' } };
    expect(historyInputSchema.parse(request)).toEqual({ resource, days: 30, resolution: 'daily' });
  });

  it.each(['', 'short', 'FULL', 'full ', ['full', 'full'], 'daily'])(
    'cannot have the detail %j',
    (detail) => {
      expect(parse({ detail }).success).toBe(false);
    },
  );

  it.each([
    ['getTrustReport', trustQuerySchema],
    ['getHistory', historyQuerySchema],
  ])('of %s has the documented parameters', (id, schema) => {
    const { parameters = [] } = OPERATIONS.find((operation) => operation.id === id) ?? {};
    expect(parameters.map(({ in: place, name }) => `${place} ${name}`)).toEqual(
      Object.keys(schema.shape).map((name) => `query ${name}`),
    );
  });
});

describe('a body', () => {
  it('cannot have unknown fields, except in the preview, whose body is not read', () => {
    expect(acceptsHistory({ resource, Days: 3 })).toBe(false);
    expect(acceptsTrust({ resource, days: 3 })).toBe(false);
    expect(acceptsTrust({ resource, detail: 'full' })).toBe(false);
    expect(createCheck('x402-trust-preview-request')({ resource })).toBe(true);
  });

  it('must be an object with a resource', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(typeof value !== 'object' || value === null || !('resource' in value));
        expect(acceptsHistory(value)).toBe(false);
      }),
    );
    expect(trustRequestSchema.safeParse({ resource }).success).toBe(true);
  });
});
