import {
  createBulkInputSchema,
  createBulkOperation,
  type BulkSize,
} from '@touchstone/contract/operations/bulk/operation';
import { createBulk } from '@touchstone/pipeline/bulk/create-bulk';
import type { RouteExports } from '../api/route.ts';
import { getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { createPaidRoute, hashResource } from './paid-route.ts';
import { toWorkResult } from './to-work-result.ts';

/** Creates the handlers of the paid path that returns the scores of at most `size` endpoints. */
export function createBulkRoute(size: BulkSize): RouteExports {
  return createPaidRoute({
    operation: createBulkOperation(size),
    input: createBulkInputSchema(size),
    // The payment is stored for the list of endpoints. It does not count as a payment for a report on one of these
    // endpoints.
    toResource: ({ resources }) => hashResource('bulk', JSON.stringify(resources)),
    isRecordedLater: true,
    onlyReads: true,
    work: async ({ resources }) => {
      const context = { db: getSecretDatabase(), baseUrl: getSiteOrigin(process.env), now: Date.now };
      return toWorkResult(await createBulk(context, resources));
    },
  });
}
