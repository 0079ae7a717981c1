import { PAYMENT_REQUIRED_V1_SCHEMAS } from '../challenge/challenge-v1.ts';
import { PAYMENT_REQUIRED_SCHEMAS } from '../challenge/challenge.ts';
import { PROBLEM_SCHEMAS } from '../shared/problem.ts';
import { BULK_OPERATIONS, BULK_SCHEMAS } from './bulk/operation.ts';
import { checkOperation, CHECK_SCHEMAS } from './check/operation.ts';
import {
  CLAIM_SCHEMAS,
  createClaimOperation,
  editClaimOperation,
  endClaimOperation,
  recheckOperation,
  showClaimOperation,
  verifyClaimOperation,
} from './claim/operation.ts';
import { createDisputeOperation, listCorrectionsOperation } from './dispute/operation.ts';
import { DISPUTE_SCHEMAS } from './dispute/schemas.ts';
import { createSchemaOperation, openApiDocumentOperation } from './document/operation.ts';
import { ENDPOINT_SUMMARIES_SCHEMAS, endpointSummariesOperation } from './endpoint-summaries/operation.ts';
import {
  ENDPOINT_SUMMARY_SCHEMAS,
  summaryBySlugOperation,
  summaryByUrlOperation,
} from './endpoint-summary/operation.ts';
import { historyOperation, HISTORY_SCHEMAS } from './history/operation.ts';
import { keySetOperation, KEY_SET_SCHEMAS } from './key-set/operation.ts';
import { leaderboardOperation, LEADERBOARD_SCHEMAS } from './leaderboard/operation.ts';
import type { Operation } from './operation-model.ts';
import type { PublishedSchemas } from '../shared/json-schema.ts';
import { OUTCOME_SCHEMAS, reportOutcomeOperation } from './outcome/operation.ts';
import { PAYMENT_STATUS_SCHEMAS, paymentStatusOperation } from './payment-status/operation.ts';
import { PREVIEW_OPERATIONS, PREVIEW_SCHEMAS } from './preview/operation.ts';
import { deliveryLedgerOperation, purchaseOperation } from './purchase/operation.ts';
import { PURCHASE_SCHEMAS } from './purchase/schemas.ts';
import { semanticSearchOperation, SEMANTIC_SEARCH_SCHEMAS } from './semantic-search/operation.ts';
import { similarOperation, SIMILAR_SCHEMAS } from './similar/operation.ts';
import { statsOperation, STATS_SCHEMAS } from './stats/operation.ts';
import { trustReportOperation, TRUST_REPORT_SCHEMAS } from './trust-report/operation.ts';
import {
  cancelWatchOperation,
  createWatchOperation,
  editWatchOperation,
  renewWatchOperation,
  showWatchOperation,
  watchEventsOperation,
} from './watch/operation.ts';
import { WATCH_SCHEMAS } from './watch/schemas.ts';

/** All published schemas by name, in display order. */
export const SCHEMAS = {
  ...TRUST_REPORT_SCHEMAS,
  ...HISTORY_SCHEMAS,
  ...ENDPOINT_SUMMARY_SCHEMAS,
  ...ENDPOINT_SUMMARIES_SCHEMAS,
  ...BULK_SCHEMAS,
  ...CHECK_SCHEMAS,
  ...SEMANTIC_SEARCH_SCHEMAS,
  ...SIMILAR_SCHEMAS,
  ...WATCH_SCHEMAS,
  ...CLAIM_SCHEMAS,
  ...PREVIEW_SCHEMAS,
  ...LEADERBOARD_SCHEMAS,
  ...STATS_SCHEMAS,
  ...PROBLEM_SCHEMAS,
  ...PAYMENT_REQUIRED_SCHEMAS,
  ...PAYMENT_REQUIRED_V1_SCHEMAS,
  ...KEY_SET_SCHEMAS,
  ...DISPUTE_SCHEMAS,
  ...PURCHASE_SCHEMAS,
  ...OUTCOME_SCHEMAS,
  ...PAYMENT_STATUS_SCHEMAS,
} as const satisfies PublishedSchemas;

export type SchemaName = keyof typeof SCHEMAS;

/** All operations of the API, in display order. */
export const OPERATIONS: readonly Operation[] = [
  trustReportOperation,
  historyOperation,
  semanticSearchOperation,
  similarOperation,
  ...BULK_OPERATIONS,
  createWatchOperation,
  renewWatchOperation,
  watchEventsOperation,
  showWatchOperation,
  editWatchOperation,
  cancelWatchOperation,
  createClaimOperation,
  showClaimOperation,
  verifyClaimOperation,
  editClaimOperation,
  recheckOperation,
  endClaimOperation,
  checkOperation,
  summaryByUrlOperation,
  summaryBySlugOperation,
  endpointSummariesOperation,
  ...PREVIEW_OPERATIONS,
  leaderboardOperation,
  statsOperation,
  paymentStatusOperation,
  reportOutcomeOperation,
  createDisputeOperation,
  listCorrectionsOperation,
  deliveryLedgerOperation,
  purchaseOperation,
  keySetOperation,
  openApiDocumentOperation,
  createSchemaOperation(Object.keys(SCHEMAS)),
];

/**
 * Finds the operation for a method and path; null when no operation matches. An operation with an HTML page also has a
 * path that ends with `.json`.
 *
 * @param path path of the request, such as `/schemas/x402-trust/1.0.0.json`
 */
export function findOperation(method: string, path: string): Operation | null {
  const parts = path.split('/');
  return (
    OPERATIONS.find(
      (operation) =>
        operation.method === method &&
        (matchesTemplate(operation.path.split('/'), parts) ||
          (operation.hasHtmlPage && path === `${operation.path}.json`)),
    ) ?? null
  );
}

function matchesTemplate(template: readonly string[], parts: readonly string[]): boolean {
  return (
    template.length === parts.length && template.every((part, at) => matchesSegment(part, parts[at] ?? ''))
  );
}

/**
 * Returns true for a path segment that equals a segment of a template, or fills its variable part. A variable part is
 * at the start of its segment and may have a suffix, as in `{slug}.json`. The value of a variable part is never empty.
 */
function matchesSegment(template: string, segment: string): boolean {
  if (!template.startsWith('{')) return template === segment;
  const suffix = template.slice(template.indexOf('}') + 1);
  return segment.endsWith(suffix) && segment.length > suffix.length;
}
