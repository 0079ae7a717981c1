import { historyInputSchema, historyOperation } from '@touchstone/contract/operations/history/operation';
import { createProblem } from '@touchstone/contract/shared/problem';
import { readHistory } from '@touchstone/pipeline/reports/history';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { getSecretDatabase } from '../../../platform/database/databases.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: historyOperation,
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
});
