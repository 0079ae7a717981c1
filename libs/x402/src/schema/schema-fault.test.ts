import { describe, expect, test } from 'vitest';
import { findReferenceFault, findSchemaFault } from './schema-fault.ts';

describe('findSchemaFault', () => {
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
    [{ not: { minLength: -1 } }, 'minLength is -1'],
    [{ anyOf: [{ maximum: '7' }] }, 'maximum is "7"'],
    [{ multipleOf: 0 }, 'multipleOf is 0'],
    [{ uniqueItems: 1 }, 'uniqueItems is 1'],
    [{ $defs: { unused: { title: null } } }, 'title is null'],
    [{ dependentRequired: { a: 'b' } }, 'dependentRequired is an object that is not allowed there'],
    [{ examples: 'a' }, 'examples is "a"'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'its dialect is "http://json-schema.org/draft-07/schema#"',
    ],
    [{ $schema: 7 }, '$schema is 7'],
  ])('finds the fault in %j', (schema, fault) => {
    expect(findSchemaFault(schema)).toBe(fault);
  });

  test.each<object>([
    {},
    { $schema: 'https://json-schema.org/draft/2020-12/schema#' },
    { type: ['string', 'null'], minLength: 0, examples: [], default: 7, custom: { type: 'any' } },
    { properties: { required: { type: 'boolean' }, type: true }, additionalProperties: false, required: [] },
    { const: { type: 'any' }, enum: [{ required: true }] },
  ])('finds no fault in %j', (schema) => {
    expect(findSchemaFault(schema)).toBeNull();
  });
});

describe('findReferenceFault', () => {
  test.each<[object, string]>([
    [{ $ref: 'https://example.com/a' }, '$ref "https://example.com/a" points outside it'],
    [{ items: { $id: 'a.json' } }, '$id "a.json" points outside it'],
    [{ const: [{ $ref: 7 }] }, '$ref 7 points outside it'],
    [{ properties: { $ref: { type: 'string' } } }, '$ref of type object points outside it'],
    [{ properties: { a: { $ref: '#/$defs/a' } } }, '$ref "#/$defs/a" points to no schema in it'],
    [{ title: 'a', $ref: '#/title' }, '$ref "#/title" points to no schema in it'],
  ])('finds the fault in %j', (schema, fault) => {
    expect(findReferenceFault(schema)).toBe(fault);
  });

  test.each<object>([
    { $ref: '#' },
    { $defs: { a: true }, $ref: '#/$defs/a' },
    { allOf: [{}, { $ref: '#/allOf/0' }] },
    { $ref: '#anchor' },
    { const: { $ref: '#/not/there' } },
  ])('finds no fault in %j', (schema) => {
    expect(findReferenceFault(schema)).toBeNull();
  });
});
