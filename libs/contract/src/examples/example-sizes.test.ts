import { expect, test } from 'vitest';
import { PREVIEW_EXAMPLE } from './free-responses.ts';
import { TRUST_REPORT_EXAMPLE } from './trust-report.ts';

/** Returns the size of a value as compact JSON in UTF-8, in bytes. */
function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

test('the report of the examples is smaller than 8,000 bytes', () => {
  expect(countBytes(TRUST_REPORT_EXAMPLE)).toBeLessThan(8_000);
});

test('a preview with three reports of this size is smaller than 25,000 bytes', () => {
  const samples = (['best', 'median', 'worst'] as const).map((role, index) => ({
    role,
    populationRank: index + 1,
    report: TRUST_REPORT_EXAMPLE,
  }));
  expect(countBytes({ ...PREVIEW_EXAMPLE, samples })).toBeLessThan(25_000);
});
