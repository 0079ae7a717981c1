import {
  historyInputSchema,
  createProblem,
  trustInputSchema,
  type HistoryInput,
  type TrustInput,
} from '@touchstone/contract';
import type { PaidOperation } from '@touchstone/payment';
import { readHistory, createTrustReport } from '@touchstone/pipeline';
import { getReportContext } from './report-context.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { requireOperation } from './require-operation.ts';
import { signIfConfigured } from './sign-document.ts';
import { toPaymentResource } from './to-payment-resource.ts';

/** Paid operation that returns a signed trust report on one endpoint. */
export const trustOperation: PaidOperation<TrustInput> = {
  operation: requireOperation('/v1/x402-trust'),
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
};

/** Paid operation that returns the events and probes of one endpoint in the last 1 to 90 days. */
export const historyOperation: PaidOperation<HistoryInput> = {
  operation: requireOperation('/v1/x402-history'),
  input: historyInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  onlyReads: true,
  work: async ({ resource, days, resolution }) => {
    const request = { resource, days, resolution: resolution ?? ('all' as const), now: Date.now() };
    const history = await readHistory(getSecretDatabase(), request);
    if (history !== null) return { body: history };
    const detail =
      'This endpoint is not in the catalog. Buy a trust report to add it: its history begins with that report.';
    return { problem: createProblem('unknown-resource', detail) };
  },
};
