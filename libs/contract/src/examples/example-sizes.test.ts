import { expect, test } from 'vitest';
import { TRUST_REPORT_EXAMPLE } from './trust-report.ts';

/** Returns the size of a value as compact JSON in UTF-8, in bytes. */
function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

// The sizes of realistic reports and of a preview are tested in libs/trust, which creates reports.
test('the report of the examples is smaller than 8,000 bytes', () => {
  expect(countBytes(TRUST_REPORT_EXAMPLE)).toBeLessThan(8_000);
});
