import {
  trustInputSchema,
  trustReportOperation,
} from '@touchstone/contract/operations/trust-report/operation';
import { createTrustReport } from '@touchstone/pipeline/reports/trust-report';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { getReportContext } from '../../../operations/report-context.ts';
import { signIfConfigured } from '../../../operations/sign-document.ts';
import { toWorkResult } from '../../../operations/to-work-result.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: trustReportOperation,
  input: trustInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  work: async ({ resource, detail }, { payer }, context) => {
    const request = { resource, detail: detail ?? ('short' as const) };
    const outcome = await createTrustReport(await getReportContext(), request, { payer, ...context });
    return outcome.kind === 'report'
      ? { body: await signIfConfigured(outcome.report) }
      : toWorkResult(outcome);
  },
});
