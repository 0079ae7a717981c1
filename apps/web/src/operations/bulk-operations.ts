import { createHash } from 'node:crypto';
import {
  createBulkInputSchema,
  createProblem,
  toBulkPath,
  type BulkRequest,
  type BulkSize,
} from '@touchstone/contract';
import type { PaidOperation } from '@touchstone/payment';
import { createBulk } from '@touchstone/pipeline';
import { getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { requireOperation } from './require-operation.ts';

const NONE_FOUND =
  'None of these endpoints is in the catalog. Buy a trust report on an endpoint to add it to the catalog.';

/** Creates the paid operation that returns the scores of at most `size` endpoints. */
export function createBulkOperation(size: BulkSize): PaidOperation<BulkRequest> {
  return {
    operation: requireOperation(toBulkPath(size)),
    input: createBulkInputSchema(size),
    // The payment concerns a list of endpoints. It is no payment for a report on one of them.
    isRecordedLater: true,
    onlyReads: true,
    toResource: ({ resources }) =>
      `bulk:${createHash('sha256').update(JSON.stringify(resources)).digest('hex')}`,
    work: async ({ resources }) => {
      const context = { db: getSecretDatabase(), baseUrl: getSiteOrigin(process.env), now: Date.now };
      const bulk = await createBulk(context, resources);
      return bulk === null ? { problem: createProblem('unknown-resource', NONE_FOUND) } : { body: bulk };
    },
  };
}
