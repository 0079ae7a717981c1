import { expect } from 'vitest';
import type { z } from 'zod';
import { createValidationProblem } from '../shared/validation-messages.ts';
import { createJsonSchema } from '../documents/json-schemas.ts';
import { SCHEMAS, type SchemaName } from '../operations/operations.ts';
import { createStrictAjv } from './strict-ajv.ts';

/** Origin of the service in the tests. */
export const BASE = 'https://touchstone.example';

/**
 * Returns a function that validates a value with the zod schema and the published JSON Schema. Both results must agree.
 */
export function createCheck(name: SchemaName): (value: unknown) => boolean {
  const published = createStrictAjv().compile(createJsonSchema(name, BASE));
  return (value) => {
    const { success } = SCHEMAS[name].schema.safeParse(value);
    expect(published(value)).toBe(success);
    return success;
  };
}

interface ReceivedRequest {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
}

/** Returns the messages of the error response to a request; an empty list if the schema accepts the request. */
export function readMessages(schema: z.ZodType, { body, query = {}, params }: ReceivedRequest): string[] {
  const request = { body, query, params };
  const { error } = schema.safeParse(request);
  return (error && createValidationProblem(error, request).errors?.map(({ message }) => message)) ?? [];
}
