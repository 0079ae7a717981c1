export {
  createJsonSchema,
  findJsonSchemaText,
  getJsonSchemaText,
  SCHEMA_NAMES,
} from './documents/json-schemas.ts';
export { createInlineSchema, toSchemaPath, toSchemaUrl, type JsonSchema } from './shared/json-schema.ts';
export { SCHEMAS, OPERATIONS, findOperation } from './operations/operations.ts';
export { leaderboardSchema, type Leaderboard } from './operations/leaderboard/operation.ts';
export { previewSchema, type Preview } from './operations/preview/operation.ts';
export { statsSchema, type Stats } from './operations/stats/operation.ts';
export {
  BULK_SCHEMA_TYPE,
  BULK_SCHEMA_VERSION,
  bulkSchema,
  NOT_IN_CATALOG,
  type Bulk,
  BULK_SIZES,
  MAX_BULK_RESOURCES,
  chooseBulkSize,
  createBulkInputSchema,
  createBulkRequestSchema,
  toBulkPath,
  type BulkSize,
} from './operations/bulk/operation.ts';
export {
  ENDPOINT_SUMMARY_EXAMPLE,
  SUMMARY_SCHEMA_TYPE,
  SUMMARY_SCHEMA_VERSION,
  endpointSummarySchema,
  type EndpointSummary,
} from './operations/endpoint-summary/response.ts';
export { formatProbeCounts, type ProbeCounts } from './shared/probe-counts.ts';
export { createToolSchemas, type Tool, TOOLS } from './mcp/tools.ts';
export { toToolRequest, type ToolRequest } from './mcp/tool-request.ts';
export {
  CLIENTS_NOTE,
  DOCUMENT_PATHS,
  LOST_RESPONSE_NOTE,
  MCP_PATH,
  PAYMENT_HEADERS,
  PAYMENT_META,
  PAYMENT_RESPONSE_META,
  RECEIPT_HEADERS,
  SERVER_CARD_PATHS,
  SERVER_CARD_TYPE,
} from './shared/service.ts';
export { createMcpServerCard, createRegistryEntry, toServerName } from './documents/mcp-documents.ts';
export { historySchema, type History } from './operations/history/response.ts';
export {
  MAX_WITHIN_DELTA,
  MIN_ALTERNATIVE_SIMILARITY,
  similarSchema,
  type Similar,
  DEFAULT_SCORE_DELTA,
  MAX_COUNTED_ALTERNATIVES,
  MAX_RESULTS,
  similarInputSchema,
  similarRequestSchema,
} from './operations/similar/operation.ts';
export {
  MIN_SIMILARITY,
  semanticSearchSchema,
  type SemanticSearch,
  semanticSearchInputSchema,
  semanticSearchRequestSchema,
} from './operations/semantic-search/operation.ts';
export {
  LIVENESS_SENSITIVITY,
  MAX_DAILY_MESSAGES,
  MAX_DAILY_MESSAGES_PER_WATCH,
  MAX_DELIVERY_URLS,
  MAX_EVENT_OPTIONS,
  MAX_WATCH_EVENTS,
  WATCH_CHANNELS,
  MAX_WEBHOOK_BODY_BYTES,
  REFUSAL,
  REFUSAL_FILE,
  WATCH_DAYS,
  WATCH_LOG_DAYS,
  WATCH_MESSAGES_SECTION,
  WATCH_RENEWAL_GRACE_DAYS,
  WATCH_SEVERITIES,
  WATCH_STATUSES,
  type WatchChannel,
  type WatchSeverity,
  type WatchStatus,
} from './shared/watch-constants.ts';
export {
  TEXT_LIMITS,
  CHANGE_KINDS,
  COMPLIANCE_RESULTS,
  COMPONENTS,
  type ChangeKind,
  type ComplianceResult,
  type Component,
  type FlagSeverity,
  GRADES,
  GRADE_THRESHOLDS,
  LEADERBOARD_SIZE,
  MIN_CAUTION_SCORE,
  MIN_PROCEED_SCORE,
  RECOMMENDATIONS,
  type Grade,
  type Recommendation,
  CHECK_AXES,
  FAILURE_PHASES,
  type FailurePhase,
} from './shared/values.ts';
export { numberLabels } from './operations/watch/delivery-url.ts';
export { formatEventId, parseWatchCursor, watchIdSchema } from './operations/watch/watch-ids.ts';
export {
  watchCreateInputSchema,
  watchEditSchema,
  watchRenewInputSchema,
  type DeliveryUrl,
  type WatchCreateRequest,
  type WatchEdit,
} from './operations/watch/requests.ts';
export {
  watchCreatedSchema,
  watchEditedSchema,
  watchRenewedSchema,
  watchSchema,
  type ConnectionTest,
  type Watch,
  type WatchCreated,
  type WatchDestination,
  type WatchEditResponse,
  type WatchRenewed,
} from './operations/watch/responses.ts';
export {
  watchEventsSchema,
  webhookMessageSchema,
  type WatchAlert,
  type WatchEvent,
  type WatchEvents,
  type WatchLifecycleEvent,
  type WebhookMessage,
} from './operations/watch/watch-events.ts';
export {
  toExamplePath,
  toExampleTarget,
  TAGS,
  type Operation,
  type RequestBody,
  replaceResource,
} from './operations/operation-model.ts';
export type { CommandOption, OperationCommand } from './operations/command.ts';
export {
  PROBLEMS,
  createProblem,
  problemSchema,
  NOT_CHARGED,
  markNotCharged,
  type Problem,
  type ProblemCode,
} from './shared/problem.ts';
export { findUnknownParameters, readQuery } from './shared/query-parameters.ts';
export { MAX_BODY_BYTES, MAX_BODY_VALUES } from './shared/requests.ts';
export { historyInputSchema } from './operations/history/operation.ts';
export { trustInputSchema } from './operations/trust-report/operation.ts';
export {
  MAX_HEADERS_BYTES,
  MAX_SIGNATURE_BYTES,
  createChallenge,
  PAYMENT_VALIDITY_SECONDS,
  createPurchaseExtension,
  PURCHASE_EXTENSION,
  PURCHASE_ID_LENGTH,
  paymentRequiredSchema,
  toAtomicUnits,
  type PaymentRequired,
} from './challenge/challenge.ts';
export { createChallengeV1, type PaymentRequiredV1 } from './challenge/challenge-v1.ts';
export {
  createDuplicateProblem,
  createValidationProblem,
  formatIssue,
  listMistakes,
  summarizeMistakes,
  type Mistake,
} from './shared/validation-messages.ts';
export {
  KEY_SET_PATH,
  keySetSchema,
  publicKeySchema,
  type KeySet,
  type PublicKey,
  type Signature,
} from './operations/key-set/operation.ts';
export {
  TRUST_REPORT_EXAMPLE,
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  trustReportSchema,
  type TrustReport,
} from './operations/trust-report/report-schema.ts';
export type { DescribedOperation } from './challenge/discovery-extension.ts';
export { createOpenApiDocument } from './documents/openapi/openapi-document.ts';
export { createLlmsText } from './documents/llms-text.ts';
export { RATE_POLICIES, type RatePolicy } from './shared/rate-policies.ts';
export { createX402Manifest } from './documents/x402-manifest.ts';
export {
  ECOSYSTEM_EVENT_DAYS,
  ECOSYSTEM_EVENT_KINDS,
  ECOSYSTEM_EVENTS,
  type EcosystemEventKind,
} from './events/ecosystem-events.ts';
export { formatSentence, joinParts, markUnverified, type Sentence } from './events/sentence.ts';
export {
  isAlertType,
  WATCH_ALERTS,
  WATCH_EVENT_TYPES,
  WATCH_EVENTS,
  WATCH_LIFECYCLE,
  WATCH_LIFECYCLE_TYPES,
  type ComparedTerms,
  type WatchEventType,
  type WatchLifecycleType,
} from './events/watch-event-table.ts';
export type { WatchedState } from './events/watched-state.ts';
