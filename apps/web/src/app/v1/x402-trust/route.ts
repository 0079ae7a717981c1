import {
  trustInputSchema,
  trustReportOperation,
} from '@touchstone/contract/operations/trust-report/operation';
import { createProblem } from '@touchstone/contract/shared/problem';
import { createTrustReport } from '@touchstone/pipeline/reports/trust-report';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { getReportContext } from '../../../operations/report-context.ts';
import { signIfConfigured } from '../../../operations/sign-document.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: trustReportOperation,
  input: trustInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  work: async ({ resource, detail }, { payer }, context) => {
    const request = { resource, detail: detail ?? ('short' as const) };
    const outcome = await createTrustReport(await getReportContext(), request, { payer, ...context });
    if (outcome.kind === 'report') return { body: await signIfConfigured(outcome.report) };
    const { code, retryAfterSeconds } = outcome;
    const errors = outcome.errors === undefined ? {} : { errors: [...outcome.errors] };
    const problem = createProblem(code, outcome.detail, errors);
    return retryAfterSeconds === undefined ? { problem } : { problem, retryAfterSeconds };
  },
});
