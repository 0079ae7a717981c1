import { RULES } from '@touchstone/x402';
import { expect, test } from 'vitest';
import { createExampleReport } from '../testing/example-report.ts';

/** Maximum size of the report of a healthy endpoint as compact JSON, in bytes. */
const MAX_BYTES = 8_000;

test('the report of a healthy endpoint stays small even if its challenge passes all other rules', async () => {
  const report = await createExampleReport();
  const { compliance, signature } = report;
  if (compliance === null || signature === null) throw new TypeError('The example must have both members.');
  const failed = new Set(compliance.failed.map(({ id }) => id));
  expect(failed.size).toBe(2);
  const passed = RULES.map(({ id }) => id).filter((id) => !failed.has(id));
  expect(passed.length).toBeGreaterThan(100);
  const largest = { ...report, lastFailure: null, compliance: { ...compliance, passed, skippedCount: 0 } };
  expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThan(MAX_BYTES);
});
