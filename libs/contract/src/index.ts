export {
  jsonSchemaAt,
  jsonSchemaOf,
  SCHEMAS,
  schemaUrl,
  type JsonSchema,
  type SchemaName,
} from './json-schema.ts';
export { TEXT_LIMITS } from './scalars.ts';
export {
  KEY_SET_PATH,
  keySetSchema,
  publicKeySchema,
  type KeySet,
  type PublicKey,
  type Signature,
} from './signature.ts';
export {
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  trustReportSchema,
  type TrustReport,
} from './trust-report.ts';
