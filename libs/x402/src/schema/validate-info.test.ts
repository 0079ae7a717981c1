import { validateDiscoveryExtension, type DiscoveryExtension } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSchemaFaults } from './schema-faults.ts';
import { validateInfo } from './validate-info.ts';

/**
 * Returns true when the facilitators' validator accepts a value. The validator expects a whole discovery extension, but
 * reads only `info` and `schema`.
 */
function isValidForFacilitators(info: unknown, schema: object): boolean {
  return validateDiscoveryExtension({ info, schema } as unknown as DiscoveryExtension).valid;
}

const Value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, 2, 2.5, 'a', 'bb', '💸', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const Types = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const Count = fc.nat(3);
const Limit = fc.integer({ min: -1, max: 3 });
const Name = fc.constantFrom('a', 'b', '__proto__', 'constructor');

const SchemaTree = fc.letrec<{ schema: object | boolean; map: object; list: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(Types, fc.uniqueArray(Types, { minLength: 1, maxLength: 3 })),
        const: Value,
        enum: fc.array(Value, { minLength: 1, maxLength: 3 }),
        required: fc.uniqueArray(Name, { maxLength: 2 }),
        minItems: Count,
        maxItems: Count,
        minLength: Count,
        maxLength: Count,
        minimum: Limit,
        maximum: Limit,
        exclusiveMinimum: Limit,
        exclusiveMaximum: Limit,
        title: fc.constant('A title'),
        default: Value,
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        properties: tie('map'),
        additionalProperties: tie('schema'),
        items: tie('schema'),
        allOf: tie('list'),
        anyOf: tie('list'),
        oneOf: tie('list'),
      },
      { requiredKeys: [] },
    ),
  ),
  map: fc.dictionary(Name, tie('schema'), { maxKeys: 2 }),
  list: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
})).schema;

describe('validateInfo', () => {
  test('agrees with the validator of facilitators unless skipped', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(Value, SchemaTree, (given, tree) => {
        const [info, schema] = JSON.parse(JSON.stringify([given, { allOf: [tree] }])) as [unknown, object];
        expect(findSchemaFaults(schema)).toEqual({ form: null, reference: null, uncheckedKeyword: null });
        const validation = validateInfo(info, schema);
        if (typeof validation === 'object' && 'skipReason' in validation) return;
        evaluated += 1;
        expect([validation, validation === 'valid']).toEqual([
          validation,
          isValidForFacilitators(info, schema),
        ]);
      }),
      { numRuns: 150 },
    );
    expect(evaluated).toBeGreaterThan(30);
  });

  test('reports the position and the reason of a mismatch', () => {
    const schema = {
      properties: { input: { properties: { method: { enum: ['GET'] } } } },
      additionalProperties: false,
    };
    expect(validateInfo({ input: { method: 'GET' } }, schema)).toBe('valid');
    expect(validateInfo({ input: { method: 'get' } }, schema)).toEqual({
      fault: '"#/input/method": Instance does not match any of ["GET"].',
    });
    expect(validateInfo({ extra: 1 }, schema)).toEqual({ fault: '"#/extra": not allowed there' });
  });

  test.each<[keyword: string, schema: object]>([
    ['pattern', { pattern: '^b' }],
    ['patternProperties', { patternProperties: { '^b': false } }],
    ['format', { properties: { a: { type: 'string', format: 'uri' } } }],
    ['$ref', { $ref: '#/$defs/a', $defs: { a: {} } }],
    ['not', { anyOf: [{ items: { not: {} } }] }],
    ['nullable', { type: 'string', nullable: true }],
    // A keyword with an invalid value is also not evaluated.
    ['required', { required: true }],
  ])('skips a schema with %s, also when another keyword rejects the value', (...[keyword, schema]) => {
    const skipReason = `bazaar.schema has the keyword "${keyword}", which this rule does not evaluate.`;
    expect(validateInfo({ a: 'x' }, schema)).toEqual({ skipReason });
    expect(validateInfo({ a: 'x' }, { allOf: [false, schema] })).toEqual({ skipReason });
  });

  test.each([
    ['__proto__', '{"properties":{"__proto__":{"type":"string"}}}'],
    ['constructor', '{"items":{"required":["constructor"]}}'],
  ])('skips a schema that names %s, because validators differ on inherited properties', (name, text) => {
    expect(validateInfo({}, JSON.parse(text) as object)).toEqual({
      skipReason: `bazaar.schema names the property "${name}", on which validators differ.`,
    });
  });

  test('skips a schema of more than 4,096 characters, and says so', () => {
    expect(validateInfo({}, { title: 'a'.repeat(4_096 - '{"title":""}'.length) })).toBe('valid');
    expect(validateInfo({}, { title: 'a'.repeat(4_097 - '{"title":""}'.length) })).toEqual({
      skipReason: 'bazaar.schema has 4097 characters; this rule evaluates at most 4096.',
    });
  });

  test('measures the length of compact JSON', () => {
    const schema = {
      enum: ['"é"', -1.5, null, true, {}, [], { a: 1, 'b\n': [1, 2] }],
      title: 'a'.repeat(5_000),
    };
    expect(validateInfo({}, schema)).toEqual({
      skipReason: `bazaar.schema has ${JSON.stringify(schema).length} characters; this rule evaluates at most 4096.`,
    });
  });

  test('skips a large info, and too many values in both', () => {
    expect(validateInfo('a'.repeat(16_383), {})).toEqual({
      skipReason: 'bazaar.info has 16385 characters; this rule evaluates at most 16384.',
    });
    const info = many(199, Number);
    expect(validateInfo(info, { enum: many(198, Number), type: 'array' })).toHaveProperty('skipReason');
    expect(validateInfo(info, { enum: many(196, Number), type: 'array' })).toHaveProperty('fault');
  });
});

const many = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => make(at));
const nestLists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const nestItems = (levels: number): unknown =>
  JSON.parse(`${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`);

/** Values and schemas of at most 64 KB that would exhaust the time, stack or memory of a validator without limits. */
const EXTREME_CASES: readonly (readonly [title: string, info: unknown, schema: unknown])[] = [
  ['a schema that references itself', {}, { $ref: '#' }],
  ['a deep schema', {}, nestItems(5_000)],
  ['a schema with the maximum depth', nestLists(400), nestItems(400)],
  ['a deep info', nestLists(30_000), {}],
  ['an info and a constant of the same depth', nestLists(2_000), { const: nestLists(2_000) }],
  ['many items, many branches', many(28, Number), { items: { allOf: many(1_300, () => ({})) } }],
  ['a long text, many limits', 'a'.repeat(16_000), { allOf: many(230, () => ({ minLength: 1 })) }],
  ['a long name', { ['k'.repeat(16_000)]: 1 }, { anyOf: many(120, () => ({ additionalProperties: false })) }],
  ['a long constant', many(2_000, Number), { items: { anyOf: [{ const: 'k'.repeat(4_000) }, true] } }],
  ['an infinite number', JSON.parse('[1e999]'), { items: { maximum: 5 } }],
  ['a regular expression', 'a'.repeat(60) + '!', { pattern: '^(a+)+$' }],
  ['a regular expression for names', { ['a'.repeat(60)]: 1 }, { patternProperties: { '^(a+)+!$': {} } }],
  ['half a surrogate pair', { '\ud800': 1 }, { additionalProperties: { type: 'string' } }],
];

describe('extreme untrusted input', () => {
  test.each(EXTREME_CASES)('validation takes little time for %s', (...[, info, schema]) => {
    // Without the limits, validation would take minutes or never end for some of these cases.
    const started = performance.now();
    if (typeof schema !== 'object' || schema === null)
      throw new Error('Every extreme case needs a schema object');
    findSchemaFaults(schema);
    validateInfo(info, schema);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('no function throws for malformed schemas and values', () => {
    const Keyword = fc.constantFrom(
      ...['$ref', '$defs', 'items', 'properties', 'patternProperties', 'pattern', 'allOf', 'anyOf', 'oneOf'],
      ...['additionalProperties', 'const', 'enum', 'required', 'type', 'minLength', 'maximum', '__proto__'],
    );
    const Malformed = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom<unknown>(
          '#',
          '#/$defs',
          '#/items',
          'object',
          '(a+)+$',
          '\ud800',
          0,
          1e308,
          true,
          null,
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(Keyword, tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(Malformed, fc.dictionary(Keyword, Malformed), (info, schema) => {
        expect(() => [findSchemaFaults(schema), validateInfo(info, schema)]).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
