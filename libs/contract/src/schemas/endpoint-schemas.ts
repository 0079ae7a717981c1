import { BULK_EXAMPLE, BULK_REQUEST_EXAMPLE } from '../examples/bulk.ts';
import { ENDPOINT_SUMMARY_EXAMPLE } from '../examples/endpoint-summary.ts';
import { createBulkRequestSchema, type BulkSize } from '../requests/bulk-requests.ts';
import { BULK_SCHEMA_TYPE, BULK_SCHEMA_VERSION, bulkSchema } from '../responses/bulk.ts';
import {
  endpointSummarySchema,
  SUMMARY_SCHEMA_TYPE,
  SUMMARY_SCHEMA_VERSION,
} from '../responses/endpoint-summary.ts';
import type { PublishedSchema } from './published-schema.ts';

/** Creates the published schema of a bulk request with at most `size` URLs. */
function createBulkRequest(size: BulkSize) {
  return {
    title: `Bulk request for ${String(size)} endpoints`,
    description: `At most ${String(size)} endpoints of the requested scores.`,
    path: `/schemas/x402-trust-bulk-${String(size)}-request/1.0.0.json`,
    component: `TrustBulk${String(size)}Request`,
    schema: createBulkRequestSchema(size),
    io: 'input',
    example: BULK_REQUEST_EXAMPLE,
  } as const satisfies PublishedSchema;
}

/** Published schemas of the summary of an endpoint and of the scores of many endpoints, by name. */
export const ENDPOINT_SCHEMAS = {
  [SUMMARY_SCHEMA_TYPE]: {
    title: 'Endpoint summary',
    description: 'Content of the public page of one x402 endpoint, and observations of one payTo address.',
    path: `/schemas/${SUMMARY_SCHEMA_TYPE}/${SUMMARY_SCHEMA_VERSION}.json`,
    component: 'EndpointSummary',
    schema: endpointSummarySchema,
    io: 'output',
    example: ENDPOINT_SUMMARY_EXAMPLE,
  },
  [BULK_SCHEMA_TYPE]: {
    title: 'Bulk scores',
    description: 'Stored scores and recommendations of many x402 endpoints, in the order of the request.',
    path: `/schemas/${BULK_SCHEMA_TYPE}/${BULK_SCHEMA_VERSION}.json`,
    component: 'TrustBulk',
    schema: bulkSchema,
    io: 'output',
    example: BULK_EXAMPLE,
  },
  'x402-trust-bulk-10-request': createBulkRequest(10),
  'x402-trust-bulk-50-request': createBulkRequest(50),
  'x402-trust-bulk-100-request': createBulkRequest(100),
  'x402-trust-bulk-200-request': createBulkRequest(200),
  'x402-trust-bulk-500-request': createBulkRequest(500),
} as const satisfies Readonly<Record<string, PublishedSchema>>;
