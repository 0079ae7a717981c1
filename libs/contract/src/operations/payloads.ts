import type { Operation, RequestBody } from './operation.ts';
import type { ProblemCode } from '../responses/problem.ts';
import { SCHEMAS, type SchemaName } from '../schemas/schemas.ts';

/** Error codes of an operation that reads the database and has a rate limit. */
export const DATABASE = ['rate-limited', 'internal'] as const satisfies readonly ProblemCode[];

/** Error codes of an operation with a required request body. */
export const BODY = [
  'invalid-request',
  'body-too-large',
  'unsupported-media-type',
] as const satisfies readonly ProblemCode[];

/** Error codes of a paid operation that concern its payment. */
export const PAID = [
  'invalid-payment',
  'payment-in-progress',
  'payment-reused',
  'payment-unavailable',
] as const satisfies readonly ProblemCode[];

/** Returns the schema and the example of a published schema. */
export function createPayload(
  schemaName: SchemaName,
): Operation['response'] & { readonly schemaName: SchemaName } {
  const { schema, example } = SCHEMAS[schemaName];
  return { schema, schemaName, example: { ...example } };
}

/** Returns the description of a request body with a published schema. */
export function createRequestBody(schemaName: SchemaName, required: boolean): RequestBody {
  return { ...createPayload(schemaName), required };
}
