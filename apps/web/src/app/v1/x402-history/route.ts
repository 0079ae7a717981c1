import { historyInputSchema, historyOperation } from '@touchstone/contract/operations/history/operation';
import { createProblem } from '@touchstone/contract/shared/problem';
import { describeUnknown } from '@touchstone/pipeline/reports/find-related';
import { readHistory } from '@touchstone/pipeline/reports/history';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { getSiteOrigin } from '../../../platform/config/config.ts';
import { getSecretDatabase } from '../../../platform/database/databases.ts';

export const dynamic = 'force-dynamic';

const ADVICE = 'Buy a trust report to add it: its history begins with that report.';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: historyOperation,
  input: historyInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  onlyReads: true,
  work: async ({ resource, days, resolution }) => {
    const db = getSecretDatabase();
    const request = { resource, days, resolution: resolution ?? ('all' as const), now: Date.now() };
    const history = await readHistory(db, request);
    if (history !== null) return { body: history };
    const detail = await describeUnknown({ db, baseUrl: getSiteOrigin(process.env) }, resource, ADVICE);
    return { problem: createProblem('unknown-resource', detail) };
  },
});
