import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from './json-schema.ts';
import { historyRequestSchema, previewRequestSchema, trustRequestSchema } from './requests.ts';
import { strictAjv } from './test-ajv.ts';

const resource = 'https://api.example.com/v1/weather';
const published = strictAjv().compile(jsonSchemaOf('x402-history-request', 'https://touchstone.example'));

/** Whether what validates at run time takes a value, which the published schema has to say too. */
function takes(body: unknown): boolean {
  const { success } = historyRequestSchema.safeParse(body);
  expect(published(body)).toBe(success);
  return success;
}

describe('the days of a history', () => {
  it('are 30 where they are left out', () => {
    expect(historyRequestSchema.parse({ resource })).toEqual({ resource, days: 30 });
    expect(takes({ resource })).toBe(true);
  });

  it('are whole and from 1 to 90', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -200, max: 200 }), fc.double(), fc.integer()), (days) => {
        expect(takes({ resource, days })).toBe(Number.isInteger(days) && days >= 1 && days <= 90);
      }),
    );
  });

  it.each([0, 91, 30.5, '30', null, [30], NaN])('are not %j', (days) => {
    expect(takes({ resource, days })).toBe(false);
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
  ])('may be %s', (value) => {
    expect(takes({ resource: value })).toBe(true);
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
  ])('is not %j', (value) => {
    expect(takes({ resource: value })).toBe(false);
    expect(trustRequestSchema.safeParse({ resource: value }).success).toBe(false);
  });

  it('has no character that cannot be seen, wherever it stands', () => {
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

  it('has an end', () => {
    expect(takes({ resource: `https://a/${'x'.repeat(8_182)}` })).toBe(true);
    expect(takes({ resource: `https://a/${'x'.repeat(8_183)}` })).toBe(false);
  });
});

describe('a body', () => {
  it('has no names that nobody knows, but where nothing of it is read', () => {
    expect(takes({ resource, Days: 3 })).toBe(false);
    expect(trustRequestSchema.safeParse({ resource, days: 3 }).success).toBe(false);
    expect(previewRequestSchema.safeParse({ resource }).success).toBe(true);
  });

  it('is an object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value !== 'object' || value === null || !('resource' in value))
          expect(takes(value)).toBe(false);
      }),
    );
  });
});
