export { createJsonSchema, findJsonSchema, toSchemaUrl, type JsonSchema } from './schemas/json-schema.ts';
export { SCHEMAS, type SchemaName } from './schemas/schemas.ts';
export {
  leaderboardSchema,
  previewSchema,
  statsSchema,
  type Leaderboard,
  type Preview,
  type Stats,
} from './responses/free-responses.ts';
export {
  BULK_SCHEMA_TYPE,
  BULK_SCHEMA_VERSION,
  bulkSchema,
  NOT_IN_CATALOG,
  type Bulk,
} from './responses/bulk.ts';
export {
  SUMMARY_SCHEMA_TYPE,
  SUMMARY_SCHEMA_VERSION,
  endpointSummarySchema,
  type EndpointSummary,
} from './responses/endpoint-summary.ts';
export {
  BULK_SIZES,
  MAX_BULK_RESOURCES,
  chooseBulkSize,
  createBulkInputSchema,
  createBulkRequestSchema,
  toBulkPath,
  type BulkRequest,
  type BulkSize,
} from './requests/bulk-requests.ts';
export { endpointPageInputSchema, summaryInputSchema } from './requests/summary-requests.ts';
export { ENDPOINT_SUMMARY_EXAMPLE } from './examples/endpoint-summary.ts';
export { createToolSchemas, type Tool } from './tools/tool.ts';
export { formatPriceUsd, TOOLS } from './tools/tools.ts';
export { toToolRequest, type ToolRequest } from './tools/tool-request.ts';
export {
  MCP_PATH,
  PAYMENT_META,
  PAYMENT_RESPONSE_META,
  SERVER_CARD_PATHS,
  SERVER_CARD_TYPE,
} from './tools/mcp.ts';
export { createMcpServerCard, createRegistryEntry, toServerName } from './documents/mcp-documents.ts';
export { historySchema, type History } from './responses/history.ts';
export {
  MIN_ALTERNATIVE_SIMILARITY,
  MIN_SIMILARITY,
  semanticSearchSchema,
  similarSchema,
  type SemanticSearch,
  type Similar,
} from './responses/search.ts';
export {
  DEFAULT_SCORE_DELTA,
  MAX_COUNTED_ALTERNATIVES,
  MAX_QUERY_CHARS,
  MAX_RESULTS,
  semanticSearchInputSchema,
  semanticSearchRequestSchema,
  similarInputSchema,
  similarRequestSchema,
  type SemanticSearchRequest,
  type SimilarRequest,
} from './requests/search-requests.ts';
export {
  LIVENESS_SENSITIVITY,
  MAX_DELIVERY_URLS,
  MAX_EVENT_OPTIONS,
  MAX_WATCH_EVENTS,
  WATCH_CHANNELS,
  MAX_WEBHOOK_BODY_BYTES,
  WATCH_DAYS,
  WATCH_LOG_DAYS,
  WATCH_RENEWAL_GRACE_DAYS,
  WATCH_SEVERITIES,
  WATCH_STATUSES,
  type WatchChannel,
  type WatchSeverity,
  type WatchStatus,
} from './watches/watch-constants.ts';
export {
  ECOSYSTEM_EVENT_DAYS,
  ECOSYSTEM_EVENT_KINDS,
  ECOSYSTEM_EVENTS,
  type EcosystemEventKind,
} from './events/ecosystem-events.ts';
export { formatSentence, formatTime, joinParts, markUnverified, type Sentence } from './events/sentence.ts';
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
export { numberLabels } from './watches/label-numbers.ts';
export { formatEventId, parseWatchCursor, watchIdSchema } from './watches/watch-ids.ts';
export {
  watchCreateInputSchema,
  watchCreateRequestSchema,
  watchEditSchema,
  watchEventsQuerySchema,
  watchRenewInputSchema,
  type DeliveryUrl,
  type WatchCreateRequest,
  type WatchEdit,
} from './requests/watch-requests.ts';
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
} from './responses/watch.ts';
export {
  watchEventsSchema,
  webhookMessageSchema,
  type WatchAlert,
  type WatchEvent,
  type WatchEvents,
  type WatchLifecycleEvent,
  type WebhookMessage,
} from './responses/watch-events.ts';
export { toExamplePath, toExampleTarget } from './operations/example-path.ts';
export { OPERATIONS, findOperation } from './operations/operations.ts';
export type { CommandOption, OperationCommand } from './operations/command.ts';
export type { Operation } from './operations/operation.ts';
export { paymentRequiredSchema, type PaymentRequired } from './responses/payment-required.ts';
export {
  PROBLEMS,
  createProblem,
  problemSchema,
  withNotCharged,
  type Problem,
  type ProblemCode,
} from './responses/problem.ts';
export {
  MAX_BODY_BYTES,
  historyInputSchema,
  historyRequestSchema,
  trustInputSchema,
  trustRequestSchema,
  type HistoryInput,
  type TrustInput,
} from './requests/requests.ts';
export { MAX_HEADERS_BYTES, MAX_SIGNATURE_BYTES } from './requests/header-limits.ts';
export {
  createValidationProblem,
  formatIssue,
  listMistakes,
  summarizeMistakes,
  type Mistake,
} from './requests/validation-messages.ts';
export { TEXT_LIMITS } from './responses/text-limits.ts';
export {
  KEY_SET_PATH,
  keySetSchema,
  publicKeySchema,
  type KeySet,
  type PublicKey,
  type Signature,
} from './responses/signature.ts';
export { TRUST_REPORT_EXAMPLE } from './examples/trust-report.ts';
export {
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  trustReportSchema,
  type TrustReport,
} from './responses/trust-report.ts';
export {
  CHANGE_KINDS,
  COMPLIANCE_VERDICTS,
  COMPONENTS,
  type ChangeKind,
  type ComplianceVerdict,
  type Component,
  type FlagSeverity,
} from './responses/trust-verdict.ts';
export { GRADES, RECOMMENDATIONS, type Grade, type Recommendation } from './verdict-values.ts';
export { createChallenge } from './challenge/challenge.ts';
export type { DescribedOperation } from './challenge/discovery-extension.ts';
export { PAYMENT_VALIDITY_SECONDS } from './challenge/payment-validity.ts';
export {
  createPurchaseExtension,
  PURCHASE_EXTENSION,
  PURCHASE_ID_LENGTH,
} from './challenge/purchase-extension.ts';
export { createOpenApiDocument } from './documents/openapi/openapi-document.ts';
export { createLlmsText } from './documents/llms-text.ts';
export { replaceResource } from './documents/example-resource.ts';
export { RATE_POLICIES, type RatePolicy } from './operations/rate-policies.ts';
export { createX402Manifest } from './documents/x402-manifest.ts';
export { DOCUMENT_PATHS } from './documents/service.ts';
export { CHECK_AXES, FAILURE_PHASES, type FailurePhase } from './responses/trust-facts.ts';
