import { z } from 'zod';
import { createInputSchema, requestedResource } from './requests.ts';

/** Schemas of the requests for the scores of many endpoints. */

/** Maximum numbers of URLs of the five bulk operations, ascending. Each size has its own path and price. */
export const BULK_SIZES = [10, 50, 100, 200, 500] as const;
export type BulkSize = (typeof BULK_SIZES)[number];

/** Maximum number of URLs of the largest bulk operation. */
export const MAX_BULK_RESOURCES = 500;

/**
 * Returns the smallest bulk size that fits.
 *
 * @param count number of URLs, from 1 to 500
 * @throws RangeError for any other number
 */
export function chooseBulkSize(count: number): BulkSize {
  const size = Number.isInteger(count) && count > 0 ? BULK_SIZES.find((each) => count <= each) : undefined;
  if (size === undefined) {
    throw new RangeError(`count must be a whole number from 1 to 500; received ${String(count)}.`);
  }
  return size;
}

/** Returns the path of the bulk operation of a size. */
export function toBulkPath(size: BulkSize): string {
  return `/v1/x402-trust-bulk-${String(size)}`;
}

/** Creates the schema of the body of a bulk request with at most `size` URLs. */
export function createBulkRequestSchema(size: BulkSize) {
  const error = `must be a list of 1 to ${String(size)} URLs of endpoints`;
  return z.strictObject({
    resources: z
      .array(requestedResource, { error })
      // The checks `min` and `max` of zod also report a string, which has a length, as a second mistake.
      .refine((list) => list.length >= 1 && list.length <= size, { error })
      .describe('Full URLs of the endpoints, as directories list them. The body has at most 64 KiB.')
      .meta({ minItems: 1, maxItems: size }),
  });
}

/** Creates the schema that parses a complete bulk request: `{ body, query, params }`. */
export function createBulkInputSchema(size: BulkSize) {
  return createInputSchema(createBulkRequestSchema(size), z.object({}));
}

/** Body of a bulk request. */
export type BulkRequest = z.infer<ReturnType<typeof createBulkRequestSchema>>;
