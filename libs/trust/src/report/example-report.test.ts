import { webcrypto } from 'node:crypto';
import { SCHEMAS, TRUST_REPORT_EXAMPLE, trustReportSchema } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { recompute } from '../recompute/recompute.ts';
import { verifySignature } from '../signing/verify-signature.ts';
import { exampleReport } from '../testing/example-report.ts';

describe('the report that the published documents show', () => {
  it('is one that is made here', async () => {
    expect(trustReportSchema.parse(await exampleReport())).toEqual(TRUST_REPORT_EXAMPLE);
  });

  it('can be recomputed, as a reader of the documents may try', () => {
    expect(recompute(TRUST_REPORT_EXAMPLE)).toMatchObject({ outcome: 'agrees' });
  });

  it('bears a good signature of the key that is shown beside it', async () => {
    const { subtle } = webcrypto;
    const keys = SCHEMAS['key-set'].example;
    expect(await verifySignature(TRUST_REPORT_EXAMPLE, keys, subtle)).toMatchObject({ outcome: 'valid' });
  });
});
