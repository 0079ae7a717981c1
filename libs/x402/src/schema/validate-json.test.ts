import { validateDiscoveryExtension, type DiscoveryExtension } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findReferenceFault, findSchemaFault } from './schema-fault.ts';
import { validateJson } from './validate-json.ts';

/**
 * Returns true when the facilitators' validator accepts a value. It expects a whole discovery extension, but reads only
 * `info` and `schema`.
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
const Name = fc.constantFrom('a', 'b', '__proto__', 'constructor');
const Names = fc.uniqueArray(Name, { maxLength: 2 });

const Pattern = fc.constantFrom('^a', 'b$', '^.$', '(');

const SchemaTree = fc.letrec<{ schema: object | boolean; map: object; patterns: object; list: unknown }>(
  (tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(Types, fc.uniqueArray(Types, { minLength: 1, maxLength: 3 })),
          const: Value,
          enum: fc.array(Value, { minLength: 1, maxLength: 3 }),
          required: Names,
          dependentRequired: fc.dictionary(Name, Names, { maxKeys: 2 }),
          minProperties: Count,
          maxProperties: Count,
          minItems: Count,
          maxItems: Count,
          uniqueItems: fc.boolean(),
          minLength: Count,
          maxLength: Count,
          minimum: fc.integer({ min: -1, max: 3 }),
          exclusiveMaximum: fc.integer({ min: -1, max: 3 }),
          multipleOf: fc.constantFrom(1, 2, 0.5),
          pattern: Pattern,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: tie('map'),
          additionalProperties: tie('schema'),
          patternProperties: tie('patterns'),
          propertyNames: tie('schema'),
          dependentSchemas: tie('map'),
          unevaluatedProperties: tie('schema'),
          prefixItems: tie('list'),
          items: tie('schema'),
          contains: tie('schema'),
          minContains: Count,
          maxContains: Count,
          unevaluatedItems: tie('schema'),
          allOf: tie('list'),
          anyOf: tie('list'),
          oneOf: tie('list'),
          not: tie('schema'),
          if: tie('schema'),
          then: tie('schema'),
          else: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
    map: fc.dictionary(Name, tie('schema'), { maxKeys: 2 }),
    patterns: fc.dictionary(Pattern, tie('schema'), { maxKeys: 2 }),
    list: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
  }),
).schema;

describe('validateJson', () => {
  test('agrees with the validator of facilitators unless undecided', () => {
    fc.assert(
      fc.property(Value, SchemaTree, (given, tree) => {
        const [instance, schema] = JSON.parse(JSON.stringify([given, { allOf: [tree] }])) as [
          unknown,
          object,
        ];
        expect(findSchemaFault(schema)).toBeNull();
        const validation = validateJson(instance, schema);
        if (validation === 'undecided') return;
        expect([validation, validation === 'valid']).toEqual([
          validation,
          isValidForFacilitators(instance, schema),
        ]);
      }),
      { numRuns: 150 },
    );
  });

  test('reports the position and the reason of a mismatch', () => {
    const schema = {
      properties: { input: { properties: { method: { enum: ['GET'] } } } },
      additionalProperties: false,
    };
    expect(validateJson({ input: { method: 'GET' } }, schema)).toBe('valid');
    expect(validateJson({ input: { method: 'get' } }, schema)).toEqual({
      fault: '"#/input/method": Instance does not match any of ["GET"].',
    });
    expect(validateJson({ extra: 1 }, schema)).toEqual({ fault: '"#/extra": not allowed there' });
  });

  test.each<object>([{ pattern: '^b' }, { patternProperties: { '^b': false } }, { format: 'uri' }])(
    'is undecided when only %j is not evaluated, and rejects a value that violates another keyword',
    (keyword) => {
      const value = { a: 'x' };
      const schema = { properties: { a: { type: 'string', ...keyword } }, ...keyword };
      expect(validateJson(value, schema)).toBe('undecided');
      expect(validateJson({ a: 7 }, schema)).toHaveProperty('fault');
      expect(validateJson(value, { $defs: { unused: keyword } })).toBe('valid');
    },
  );

  test('accepts null for `nullable` of OpenAPI, like the validator of facilitators', () => {
    const schema = { type: 'string', nullable: true };
    expect(validateJson(null, schema)).toBe('valid');
    expect(isValidForFacilitators(null, schema)).toBe(true);
    expect(validateJson(7, schema)).toHaveProperty('fault');
  });
});

const many = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => make(at));
const record = (length: number, value: unknown): object =>
  Object.fromEntries(many(length, (at) => [`k${at}`, value] as const));
const nested = (open: string, core: string, close: string): unknown =>
  JSON.parse(open.repeat(5_000) + core + close.repeat(5_000));
const LONG = 'k'.repeat(40_000);
const doubling = Object.fromEntries(
  many(
    40,
    (at) => [`d${at}`, { allOf: many(2, () => ({ $ref: `#/$defs/d${Math.min(at + 1, 39)}` })) }] as const,
  ),
);

/** Values and schemas of at most 64 KB that would exhaust the time, stack or memory of a validator without limits. */
const EXTREME_CASES: readonly (readonly [title: string, instance: unknown, schema: unknown])[] = [
  ['a schema that references itself', {}, { $ref: '#' }],
  ['references that double', {}, { $defs: doubling, $ref: '#/$defs/d0' }],
  [
    'references to a long list',
    {},
    { $defs: { a: { required: many(4_000, String) } }, allOf: many(900, () => ({ $ref: '#/$defs/a' })) },
  ],
  [
    'references to many properties',
    {},
    { $defs: { a: { properties: record(4_000, {}) } }, allOf: many(900, () => ({ $ref: '#/$defs/a' })) },
  ],
  [
    'references to unknown keywords',
    {},
    { $defs: { a: record(4_000, {}) }, allOf: many(900, () => ({ $ref: '#/$defs/a' })) },
  ],
  ['a deep schema', {}, nested('{"not":', '{}', '}')],
  ['a deep instance', nested('[', '', ']'), {}],
  ['a deep constant', {}, { const: nested('[', '', ']') }],
  ['unique items', many(490, String), { uniqueItems: true }],
  ['repeated unique items', many(60, (at) => [at]), { allOf: many(300, () => ({ uniqueItems: true })) }],
  [
    'many items, many branches',
    many(45, Number),
    { contains: { anyOf: many(400, () => ({ type: 'string' })) } },
  ],
  ['many required names for many items', many(45, () => ({})), { contains: { required: many(700, String) } }],
  [
    'many names that never match',
    record(100, 1),
    { allOf: many(130, () => ({ propertyNames: { const: 'x' } })) },
  ],
  ['a long name', { [LONG]: 1 }, { allOf: many(300, () => ({ additionalProperties: false })) }],
  ['a long constant', many(45, Number), { contains: { enum: [LONG] } }],
  [
    'numbers of very different size',
    many(90, () => 1e308),
    { items: { allOf: many(200, () => ({ multipleOf: 5e-324 })) } },
  ],
  ['an infinite number', JSON.parse('[1e999]'), { items: { multipleOf: 3, maximum: 5 } }],
  ['a regular expression', 'a'.repeat(60) + '!', { pattern: '^(a+)+$' }],
  ['a regular expression for names', { ['a'.repeat(60)]: 1 }, { patternProperties: { '^(a+)+!$': {} } }],
  [
    'names of prototypes',
    JSON.parse('{"__proto__":1,"constructor":2}'),
    JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
  ],
  ['half a surrogate pair', { '\ud800': 1 }, { properties: { '\ud800': { type: 'string' } } }],
];

describe('extreme untrusted input', () => {
  test.each(EXTREME_CASES)('validation takes little time for %s', (...[, instance, schema]) => {
    // Without the limits, validation would take minutes or never end for some of these cases.
    const started = performance.now();
    if (typeof schema !== 'object' || schema === null)
      throw new Error('Every extreme case needs a schema object');
    if ((findSchemaFault(schema) ?? findReferenceFault(schema)) === null) validateJson(instance, schema);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test('no function throws for malformed schemas and values', () => {
    const Keyword = fc.constantFrom(
      ...[
        ...['$ref', '$defs', 'items', 'properties', 'patternProperties', 'pattern', 'allOf', 'anyOf'],
        ...['oneOf', 'not'],
      ],
      ...[
        ...['if', 'then', 'const', 'enum', 'required', 'type', 'multipleOf', 'uniqueItems', 'contains'],
        ...['__proto__'],
      ],
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
          5e-324,
          1e308,
          true,
          null,
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(Keyword, tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(Malformed, fc.dictionary(Keyword, Malformed), (instance, schema) => {
        expect(() => [
          findSchemaFault(schema),
          findReferenceFault(schema),
          validateJson(instance, schema),
        ]).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
