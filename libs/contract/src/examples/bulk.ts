import type { BulkRequest } from '../requests/bulk-requests.ts';
import { NOT_IN_CATALOG, type Bulk } from '../responses/bulk.ts';
import { SIMILAR_EXAMPLE } from './search.ts';
import { TRUST_REPORT_EXAMPLE as report } from './trust-report.ts';

const { subject } = SIMILAR_EXAMPLE;
const UNKNOWN_RESOURCE = 'https://unknown.example.org/data';

export const BULK_REQUEST_EXAMPLE: BulkRequest = {
  resources: [report.resource, subject.resource, UNKNOWN_RESOURCE],
};

/** Results of the example request: a good endpoint, one that payers should avoid, and an unknown one. */
export const BULK_EXAMPLE: Bulk = {
  $schema: 'https://touchstone.example/schemas/x402-trust-bulk/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'x402-trust-bulk',
  generatedAt: report.generatedAt,
  count: 3,
  found: 2,
  results: [
    {
      resource: report.resource,
      found: true,
      score: report.score,
      grade: 'A',
      recommendation: report.recommendation,
      confidence: report.confidence,
      error_flags: [],
      probed_at: '2026-06-01T00:00:00.000Z',
      computed_at: '2026-05-31T23:45:36.000Z',
      endpointPage: report.endpointPage,
    },
    {
      resource: subject.resource,
      found: true,
      score: subject.score,
      grade: subject.grade,
      recommendation: subject.recommendation,
      confidence: 0.97,
      error_flags: ['down-now'],
      probed_at: '2026-05-31T23:52:10.000Z',
      computed_at: '2026-05-31T23:45:36.000Z',
      endpointPage: subject.endpointPage,
    },
    {
      resource: UNKNOWN_RESOURCE,
      ...NOT_IN_CATALOG,
    },
  ],
};
