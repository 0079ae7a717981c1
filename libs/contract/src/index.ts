export { jsonSchemaAt, jsonSchemaOf, schemaUrl, type JsonSchema } from './json-schema.ts';
export { SCHEMAS, type SchemaName } from './schemas.ts';
export {
  leaderboardSchema,
  previewSchema,
  statsSchema,
  type Leaderboard,
  type Preview,
  type Stats,
} from './free-answers.ts';
export { historySchema, type History } from './history.ts';
export { OPERATIONS, operationAt } from './operations.ts';
export type { Operation } from './operation.ts';
export { paymentRequiredSchema, type PaymentRequired } from './payment-required.ts';
export { PROBLEMS, problemOf, problemSchema, type Problem, type ProblemCode } from './problem.ts';
export {
  historyRequestSchema,
  trustRequestSchema,
  type HistoryRequest,
  type TrustRequest,
} from './requests.ts';
export { TEXT_LIMITS } from './scalars.ts';
export {
  KEY_SET_PATH,
  keySetSchema,
  publicKeySchema,
  type KeySet,
  type PublicKey,
  type Signature,
} from './signature.ts';
export { TRUST_REPORT_EXAMPLE } from './examples/trust-report.ts';
export {
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  trustReportSchema,
  type TrustReport,
} from './trust-report.ts';
export { openApiDocument } from './openapi/openapi-document.ts';
export { llmsText } from './llms-text.ts';
export { aboutResource } from './about-resource.ts';
export { RATE_POLICIES, type RatePolicy } from './rate-policies.ts';
export { wellKnownX402 } from './well-known.ts';
export { DOCUMENT_PATHS } from './service.ts';
