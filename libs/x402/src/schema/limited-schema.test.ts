import { validate } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { limitSchema } from './limited-schema.ts';

function isValid(instance: unknown, schema: object): boolean | null {
  const limited = limitSchema(schema);
  return limited === null ? null : validate(instance, limited.schema, '2020-12', {}).valid;
}

describe('limitSchema', () => {
  test('replaces references by their targets', () => {
    const schema = {
      $defs: { city: { type: 'string' }, 'a/b~c d': { maxLength: 4 } },
      properties: { city: { $ref: '#/$defs/city', minLength: 2 }, zip: { $ref: '#/$defs/a~1b~0c%20d' } },
    };
    expect(isValid({ city: 'Bern' }, schema)).toBe(true);
    expect(isValid({ city: 7 }, schema)).toBe(false);
    expect(isValid({ city: 'B' }, schema)).toBe(false);
    expect(isValid({ zip: '3000' }, schema)).toBe(true);
    expect(isValid({ zip: '30000' }, schema)).toBe(false);
  });

  test('keeps only known keywords', () => {
    const schema = {
      type: 'object',
      title: 'x',
      default: {},
      format: 'uri',
      $recursiveAnchor: true,
      custom: 1,
    };
    expect(limitSchema(schema)).toEqual({ schema: { type: ['object'] }, cost: 2, isLaxer: true });
    expect(limitSchema({})).toEqual({ schema: {}, cost: 1, isLaxer: false });
  });

  test('drops patterns and keywords that depend on them', () => {
    const schema = {
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
      pattern: '^a$',
    };
    expect(isValid({ 'x-a': 7 }, schema)).toBe(true);
    expect(isValid('b', schema)).toBe(true);
    expect(isValid({ 'x-a': 1 }, { allOf: [schema], unevaluatedProperties: false })).toBe(true);
  });

  test.each<[object, boolean]>([
    [{ pattern: '^a' }, true],
    [{ patternProperties: {} }, true],
    [{ items: { allOf: [{ format: 'uri' }] } }, true],
    [{ $defs: { a: { pattern: '^a' } }, items: { $ref: '#/$defs/a' } }, true],
    [{ $defs: { a: { pattern: '^a' } } }, false],
    [{ properties: { pattern: { type: 'string' } }, const: { format: 'uri' } }, false],
  ])('a keyword of %j was dropped: %s', (schema, expected) => {
    expect(limitSchema(schema)?.isLaxer).toBe(expected);
  });

  test.each([
    ['not', { not: { pattern: '^a' } }],
    ['not, with a format', { not: { format: 'uri' } }],
    ['oneOf', { oneOf: [{ properties: { a: { pattern: '^a' } } }, {}] }],
    ['if', { if: { pattern: '^a' }, then: false }],
    ['contains with maxContains', { contains: { pattern: '^a' }, maxContains: 1 }],
    ['not, by reference', { $defs: { a: { patternProperties: {} } }, not: { $ref: '#/$defs/a' } }],
  ])('returns null for a pattern under %s', (...[, schema]) => {
    expect(limitSchema(schema)).toBeNull();
  });

  test.each([
    ['anyOf', { anyOf: [{ pattern: '^a' }] }],
    ['contains', { contains: { pattern: '^a' } }],
    ['then', { if: {}, then: { pattern: '^a' } }],
  ])('copies a schema with a pattern under %s', (...[, schema]) => {
    expect(limitSchema(schema)).not.toBeNull();
  });

  test.each<[string, object]>([
    ['is recursive', { properties: { child: { $ref: '#' } } }],
    ['refers by anchor', { $defs: { a: { $anchor: 'a' } }, $ref: '#a' }],
    ['refers to nothing', { $ref: '#/$defs/a' }],
    ['refers to text', { title: 'a', $ref: '#/title' }],
    ['refers to an invalid schema', { default: { type: { a: 1 } }, $ref: '#/default' }],
    ['refers dynamically', { $dynamicRef: '#a' }],
    ['is too large', { enum: Array.from({ length: 1_000 }, String) }],
    ['has too long a text', { const: 'a'.repeat(130_000) }],
    ['has a name that no pointer can express', { properties: { '\ud800': {} } }],
  ])('returns null for a schema that %s', (...[, schema]) => {
    expect(limitSchema(schema)).toBeNull();
  });

  test('copies up to 32 levels', () => {
    const nest = (levels: number): object => (levels === 0 ? {} : { items: nest(levels - 1) });
    expect(limitSchema(nest(32))).not.toBeNull();
    expect(limitSchema(nest(33))).toBeNull();
  });

  test.each([
    '{"properties":{"__proto__":{"type":"string"}}}',
    '{"dependentSchemas":{"toString":false}}',
    '{"required":["constructor"]}',
    '{"dependentRequired":{"a":["constructor"]}}',
    '{"dependentRequired":{"__proto__":["a"]}}',
  ])('returns null for %s, on which validators differ', (text) => {
    const schema: unknown = JSON.parse(text);
    if (typeof schema !== 'object' || schema === null)
      throw new Error('Each test case needs a schema object');
    expect(limitSchema(schema)).toBeNull();
  });
});
