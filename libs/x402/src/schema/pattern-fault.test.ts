import { validateDiscoveryExtension, type DiscoveryExtension } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPatternFault } from './pattern-fault.ts';

const WRONG = { pattern: '(' };

/** True where the validator of facilitators compiles the schema, whatever it then says of a value. */
function isTakenByThem(schema: object): boolean {
  // It looks at these two members only, whatever its type asks for.
  const extension = { info: {}, schema } as unknown as DiscoveryExtension;
  const { errors = [] } = validateDiscoveryExtension(extension);
  return !errors.some((error) => error.includes('Invalid regular expression'));
}

describe('patternFault', () => {
  test.each<object>([
    WRONG,
    { pattern: '\\-' },
    { pattern: '[z-a]' },
    { pattern: '^(?i)a' },
    { type: 'integer', pattern: '(' },
    { patternProperties: { '[': {} } },
    { properties: { a: { items: { not: WRONG } } } },
    { $defs: { a: WRONG }, properties: { a: { $ref: '#/$defs/a' } } },
    { if: {}, then: WRONG },
    { if: WRONG, else: false },
    { contains: WRONG, minContains: 0, maxContains: 1 },
    { properties: { a: { $ref: '#' } }, additionalProperties: WRONG },
  ])('finds it in %j, which facilitators refuse', (schema) => {
    expect(findPatternFault(schema)).toMatch(/^the pattern ".*" is no regular expression$/);
    expect(isTakenByThem(schema)).toBe(false);
  });

  test.each<object>([
    {},
    { pattern: '^(a+)+$' },
    { pattern: '(?<=\\p{L})\\d{2,}' },
    { patternProperties: { '^x-': { type: 'string' } } },
    { properties: { pattern: { type: 'string' } }, const: WRONG },
    { $defs: { unused: WRONG } },
    { contentSchema: WRONG },
    { then: WRONG },
    { if: WRONG },
    { contains: WRONG, minContains: 0 },
  ])('finds none in %j, which facilitators take', (schema) => {
    expect(findPatternFault(schema)).toBeNull();
    expect(isTakenByThem(schema)).toBe(true);
  });

  test('takes the patterns facilitators take', () => {
    const Piece = fc.constantFrom(
      ...['a', '(', ')', '[', ']', '{', '}', '{1}', '{2,1}', '*', '+', '?', '|', '^', '$', '.', '-', '\\'],
      ...['\\d', '\\-', '\\p{L}', '\\p{No', '(?:', '(?=', '(?<n>', '\\k<n>', '\\u{1F600}', '\ud800', '💸'],
    );
    fc.assert(
      fc.property(fc.array(Piece, { maxLength: 6 }), fc.boolean(), (pieces, isName) => {
        const pattern = pieces.join('');
        const schema = isName ? { patternProperties: { [pattern]: false } } : { pattern };
        expect([schema, findPatternFault(schema) === null]).toEqual([schema, isTakenByThem(schema)]);
      }),
    );
  });

  test('ends soon, whatever it is given', () => {
    const started = performance.now();
    const schemas = [
      { pattern: '('.repeat(60_000) },
      { allOf: Array.from({ length: 8_000 }, () => ({ pattern: '[\\p{L}]' })) },
      { pattern: `${'(?:'.repeat(400)}a${'{1000})'.repeat(400)}` },
    ];
    for (const schema of schemas) expect(findPatternFault(schema)).toBeNull();
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
