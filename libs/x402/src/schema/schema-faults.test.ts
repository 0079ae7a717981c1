import { describe, expect, test } from 'vitest';
import { definesProperty, findSchemaFaults } from './schema-faults.ts';

describe('the form of a schema', () => {
  test.each<[object, string]>([
    [{ type: 'any' }, 'type is "any"'],
    [{ type: [] }, 'type is a list that is not allowed there'],
    [{ type: ['string', 'string'] }, 'type is a list that is not allowed there'],
    [{ properties: { city: { type: 'string', required: true } } }, 'required is true'],
    [{ required: ['a', 7] }, 'required is a list that is not allowed there'],
    [{ properties: { city: 'string' } }, 'properties is an object that is not allowed there'],
    [{ properties: [] }, 'properties is a list that is not allowed there'],
    [{ anyOf: [] }, 'anyOf is a list that is not allowed there'],
    [{ items: [{}] }, 'items is a list that is not allowed there'],
    [{ enum: [] }, 'enum is a list that is not allowed there'],
    [{ enum: { a: 1 } }, 'enum is an object that is not allowed there'],
    [{ additionalProperties: { minLength: -1 } }, 'minLength is -1'],
    [{ anyOf: [{ maximum: '7' }] }, 'maximum is "7"'],
    [{ $defs: { unused: { title: null } } }, 'title is null'],
    [{ examples: 'a' }, 'examples is "a"'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'its dialect is "http://json-schema.org/draft-07/schema#"',
    ],
    [{ $schema: 7 }, '$schema is 7'],
  ])('finds the fault in %j', (schema, fault) => {
    expect(findSchemaFaults(schema)?.form).toBe(fault);
  });

  test.each<object>([
    {},
    { $schema: 'https://json-schema.org/draft/2020-12/schema#' },
    { type: ['string', 'null'], minLength: 0, examples: [], default: 7 },
    { properties: { required: { type: 'boolean' }, type: true }, additionalProperties: false, required: [] },
    { const: { type: 'any' }, enum: [{ required: true }] },
  ])('finds no fault in %j', (schema) => {
    expect(findSchemaFaults(schema)).toEqual({ form: null, reference: null, uncheckedKeyword: null });
  });

  test.each<[object, string]>([
    [{ pattern: '(' }, 'pattern'],
    [{ properties: { a: { anyOf: [{ not: { type: 'any' } }] } } }, 'not'],
    [{ $defs: { unused: { 'x-order': 1 } } }, 'x-order'],
    [{ constructor: {} }, 'constructor'],
  ])('names the keyword in %j whose value is not checked', (schema, keyword) => {
    expect(findSchemaFaults(schema)).toEqual({ form: null, reference: null, uncheckedKeyword: keyword });
  });

  test('a value that is not an object is no schema', () => {
    for (const value of [undefined, null, true, [], 'object']) expect(findSchemaFaults(value)).toBeNull();
  });
});

describe('references of a schema', () => {
  test.each<[object, string]>([
    [{ $ref: 'https://example.com/a' }, '$ref "https://example.com/a" points outside it'],
    [{ items: { $id: 'a.json' } }, '$id "a.json" points outside it'],
    [{ const: [{ $ref: 7 }] }, '$ref 7 points outside it'],
    [{ properties: { $ref: { type: 'string' } } }, '$ref of type object points outside it'],
    [{ properties: { a: { $ref: '#/$defs/a' } } }, '$ref "#/$defs/a" points to no schema in it'],
    [{ title: 'a', $ref: '#/title' }, '$ref "#/title" points to no schema in it'],
  ])('finds the fault in %j', (schema, fault) => {
    expect(findSchemaFaults(schema)?.reference).toBe(fault);
  });

  test.each<object>([
    { $ref: '#' },
    { $defs: { a: true }, $ref: '#/$defs/a' },
    { allOf: [{}, { $ref: '#/allOf/0' }] },
    { $ref: '#anchor' },
    { const: { $ref: '#/not/there' } },
    { $defs: { 'a/b~c d': {} }, $ref: '#/$defs/a~1b~0c%20d' },
  ])('finds no fault in %j', (schema) => {
    expect(findSchemaFaults(schema)?.reference).toBeNull();
  });
});

const INPUT = { properties: { input: {} } };

test.each<[object, boolean]>([
  [INPUT, true],
  [{ properties: { input: true } }, true],
  [{ $defs: { info: INPUT }, $ref: '#/$defs/info' }, true],
  [{ allOf: [{}, { anyOf: [{ oneOf: [INPUT] }] }] }, true],
  // A reference by anchor is not resolved. Such a reference counts as a definition.
  [{ $ref: '#info' }, true],
  [{}, false],
  [{ properties: { output: {} } }, false],
  [{ required: ['input'] }, false],
  [{ properties: { output: INPUT } }, false],
  [{ $defs: { info: INPUT } }, false],
  [{ not: INPUT }, false],
  [{ $ref: '#' }, false],
  [{ $ref: '#/$defs/info' }, false],
  [{ properties: ['input'], allOf: 7 }, false],
])('%j defines the input: %s', (schema, expected) => {
  expect(definesProperty(schema, 'input')).toBe(expected);
});

test('an inherited member is not a definition', () => {
  expect(definesProperty({ properties: {} }, 'constructor')).toBe(false);
});
