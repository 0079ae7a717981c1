import { validateDiscoveryExtension, type DiscoveryExtension } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPatternFault } from './pattern-fault.ts';

const INVALID = { pattern: '(' };

/** Returns true when the facilitators' validator can compile the patterns of a schema. */
function isAcceptedByFacilitators(schema: object): boolean {
  // The validator reads only `info` and `schema`, although the type of its parameter has more members.
  const extension = { info: {}, schema } as unknown as DiscoveryExtension;
  const { errors = [] } = validateDiscoveryExtension(extension);
  return !errors.some((error) => error.includes('Invalid regular expression'));
}

describe('findPatternFault', () => {
  test.each<object>([
    INVALID,
    { pattern: '\\-' },
    { pattern: '[z-a]' },
    { pattern: '^(?i)a' },
    { type: 'integer', pattern: '(' },
    { patternProperties: { '[': {} } },
    { properties: { a: { items: { not: INVALID } } } },
    { $defs: { a: INVALID }, properties: { a: { $ref: '#/$defs/a' } } },
    { if: {}, then: INVALID },
    { if: INVALID, else: false },
    { contains: INVALID, minContains: 0, maxContains: 1 },
    { properties: { a: { $ref: '#' } }, additionalProperties: INVALID },
  ])('finds a fault in %j, which facilitators reject', (schema) => {
    expect(findPatternFault(schema)).toMatch(/^the pattern ".*" is not a regular expression$/);
    expect(isAcceptedByFacilitators(schema)).toBe(false);
  });

  test.each<object>([
    {},
    { pattern: '^(a+)+$' },
    { pattern: '(?<=\\p{L})\\d{2,}' },
    { patternProperties: { '^x-': { type: 'string' } } },
    { properties: { pattern: { type: 'string' } }, const: INVALID },
    { $defs: { unused: INVALID } },
    { contentSchema: INVALID },
    { then: INVALID },
    { if: INVALID },
    { contains: INVALID, minContains: 0 },
  ])('finds no fault in %j, which facilitators accept', (schema) => {
    expect(findPatternFault(schema)).toBeNull();
    expect(isAcceptedByFacilitators(schema)).toBe(true);
  });

  test('accepts exactly the patterns that facilitators accept', () => {
    const Piece = fc.constantFrom(
      ...['a', '(', ')', '[', ']', '{', '}', '{1}', '{2,1}', '*', '+', '?', '|', '^', '$', '.', '-', '\\'],
      ...['\\d', '\\-', '\\p{L}', '\\p{No', '(?:', '(?=', '(?<n>', '\\k<n>', '\\u{1F600}', '\ud800', '💸'],
    );
    fc.assert(
      fc.property(fc.array(Piece, { maxLength: 6 }), fc.boolean(), (pieces, isName) => {
        const pattern = pieces.join('');
        const schema = isName ? { patternProperties: { [pattern]: false } } : { pattern };
        expect([schema, findPatternFault(schema) === null]).toEqual([
          schema,
          isAcceptedByFacilitators(schema),
        ]);
      }),
    );
  });

  test('takes little time for extreme schemas', () => {
    const started = performance.now();
    const schemas = [
      { pattern: '('.repeat(60_000) },
      { allOf: Array.from({ length: 8_000 }, () => ({ pattern: '[\\p{L}]' })) },
      { pattern: `${'(?:'.repeat(400)}a${'{1000})'.repeat(400)}` },
    ];
    for (const schema of schemas) expect(findPatternFault(schema)).toBeNull();
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
