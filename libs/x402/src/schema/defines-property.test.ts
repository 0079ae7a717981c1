import { expect, test } from 'vitest';
import { definesProperty } from './defines-property.ts';

const INPUT = { properties: { input: {} } };

test.each<[object, boolean]>([
  [INPUT, true],
  [{ properties: { input: true } }, true],
  [{ $defs: { info: INPUT }, $ref: '#/$defs/info' }, true],
  [{ allOf: [{}, { anyOf: [{ oneOf: [INPUT] }] }] }, true],
  // A reference by anchor is not resolved. It counts as a definition.
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
