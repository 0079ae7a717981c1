import { webcrypto } from 'node:crypto';
import {
  ENDPOINT_SUMMARIES_EXAMPLE,
  ENDPOINT_SUMMARY_EXAMPLE,
  SCHEMAS,
  TRUST_REPORT_EXAMPLE,
  trustReportSchema,
} from '@touchstone/contract';
import { describe, expect, it, test } from 'vitest';
import { recompute } from '../recompute/recompute.ts';
import { verifySignature } from '../signing/signatures.ts';
import { createExampleReport } from '../testing/example-report.ts';

describe('the example report of the published documents', () => {
  it('equals the report that the formula creates', async () => {
    expect(trustReportSchema.parse(await createExampleReport())).toEqual(TRUST_REPORT_EXAMPLE);
  });

  it('can be recomputed', () => {
    expect(recompute(TRUST_REPORT_EXAMPLE)).toMatchObject({ outcome: 'agrees' });
  });

  it('has a valid signature of the published example key', async () => {
    const { subtle } = webcrypto;
    const keys = SCHEMAS['key-set'].example;
    expect(await verifySignature(TRUST_REPORT_EXAMPLE, keys, subtle)).toMatchObject({ outcome: 'valid' });
  });
});

test.each([ENDPOINT_SUMMARY_EXAMPLE, ENDPOINT_SUMMARIES_EXAMPLE])(
  'the example of a signed summary has a valid signature of the published example key',
  async (example) => {
    const keys = SCHEMAS['key-set'].example;
    expect(await verifySignature(example, keys, webcrypto.subtle)).toMatchObject({ outcome: 'valid' });
  },
);

test.each(['x402-purchase', 'payment-status'] as const)(
  'the example of %s has a valid signature of the published example key',
  async (name) => {
    const keys = SCHEMAS['key-set'].example;
    const checked = await verifySignature(SCHEMAS[name].example, keys, webcrypto.subtle);
    expect(checked).toMatchObject({ outcome: 'valid' });
  },
);
