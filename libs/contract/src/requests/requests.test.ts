import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSchema } from '../schemas/json-schema.ts';
import { OPERATIONS } from '../operations/operations.ts';
import {
  historyInputSchema,
  historyQuerySchema,
  historyRequestSchema,
  previewRequestSchema,
  trustInputSchema,
  trustQuerySchema,
  trustRequestSchema,
} from './requests.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';

const resource = 'https://api.example.com/v1/weather';
const published = createStrictAjv().compile(
  createJsonSchema('x402-history-request', 'https://touchstone.example'),
);

/** Returns true when the schema accepts a body. Also checks that the published JSON Schema gives the same result. */
function accepts(body: unknown): boolean {
  const { success } = historyRequestSchema.safeParse(body);
  expect(published(body)).toBe(success);
  return success;
}

describe('the days of a history', () => {
  it('default to 30', () => {
    expect(historyRequestSchema.parse({ resource })).toEqual({ resource, days: 30 });
    expect(accepts({ resource })).toBe(true);
  });

  it('must be a whole number from 1 to 90', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -200, max: 200 }), fc.double(), fc.integer()), (days) => {
        expect(accepts({ resource, days })).toBe(Number.isInteger(days) && days >= 1 && days <= 90);
      }),
    );
  });

  it.each([0, 91, 30.5, '30', null, [30], NaN])('cannot be %j', (days) => {
    expect(accepts({ resource, days })).toBe(false);
  });
});

describe('the resource', () => {
  it.each([
    resource,
    'HTTPS://API.EXAMPLE.COM',
    'http://a',
    'https://api.example.com/{id}',
    'https://example.com/é',
    'https://example.com/a b',
    'https://example.com/%E2%80%8B',
  ])('can be %s', (value) => {
    expect(accepts({ resource: value })).toBe(true);
    expect(trustRequestSchema.safeParse({ resource: value }).success).toBe(true);
  });

  it.each([
    '',
    'api.example.com',
    'https://',
    ' https://a',
    'https://a ',
    'https://a\u00a0',
    'https://a/\ud800',
    'https://a/\udc00b',
    'https://a/\u3164',
    'https://a/\ufe0f',
    'ftp://a',
    'javascript:alert(1)',
    7,
    null,
    undefined,
    [resource],
  ])('cannot be %j', (value) => {
    expect(accepts({ resource: value })).toBe(false);
    expect(trustRequestSchema.safeParse({ resource: value }).success).toBe(false);
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
      ]) {
        const { error } = trustRequestSchema.safeParse({ resource: value });
        expect([value, error?.issues[0]?.path]).toEqual([value, ['resource']]);
        expect(published({ resource: value })).toBe(false);
      }
    }
  });

  it('has at most 2,048 characters', () => {
    expect(MAX_RESOURCE_CHARS).toBe(2_048);
    expect(accepts({ resource: `https://a/${'x'.repeat(2_038)}` })).toBe(true);
    expect(accepts({ resource: `https://a/${'x'.repeat(2_039)}` })).toBe(false);
  });
});

describe('the query', () => {
  const parse = (query: object) => trustInputSchema.safeParse({ body: { resource }, query });

  it('is merged with the body, and is optional', () => {
    expect(parse({}).data).toEqual({ resource });
    expect(parse({ detail: 'full' }).data).toEqual({ resource, detail: 'full' });
    const request = { body: { resource }, query: { resolution: 'daily' } };
    expect(historyInputSchema.parse(request)).toEqual({ resource, days: 30, resolution: 'daily' });
  });

  it('may have unknown parameters, also with the names of fields', () => {
    const query = { utm_source: 'directory', resource: 'https://other.example/', days: '7' };
    expect(parse(query).data).toEqual({ resource });
  });

  it.each(['', 'short', 'FULL', 'full ', ['full', 'full'], 'daily'])(
    'cannot have the detail %j',
    (detail) => {
      expect(parse({ detail }).success).toBe(false);
    },
  );

  it('cannot be in the body', () => {
    expect(trustInputSchema.safeParse({ body: { resource, detail: 'full' }, query: {} }).success).toBe(false);
  });

  it.each([
    ['getTrustReport', trustQuerySchema],
    ['getHistory', historyQuerySchema],
  ])('of %s has the documented parameters', (id, schema) => {
    const { parameters = [] } = OPERATIONS.find((operation) => operation.id === id) ?? {};
    expect(parameters.map(({ in: place, name }) => `${place} ${name}`)).toEqual(
      Object.keys(schema.shape).map((name) => `query ${name}`),
    );
    const example = Object.fromEntries(parameters.map(({ name, example: value }) => [name, value]));
    expect(schema.parse(example)).toEqual(example);
  });
});

describe('a body', () => {
  it('cannot have unknown fields, except in the preview, whose body is not read', () => {
    expect(accepts({ resource, Days: 3 })).toBe(false);
    expect(trustRequestSchema.safeParse({ resource, days: 3 }).success).toBe(false);
    expect(previewRequestSchema.safeParse({ resource }).success).toBe(true);
  });

  it('must be an object with a resource', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value !== 'object' || value === null || !('resource' in value))
          expect(accepts(value)).toBe(false);
      }),
    );
  });
});
