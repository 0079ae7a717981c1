import { validate } from '@cfworker/json-schema';
import { measureCost } from './json-cost.ts';
import { limitSchema } from './limited-schema.ts';
import { cleanText, quote } from '../json/clean-text.ts';

const MAX_INSTANCE_COST = 500;
/**
 * Maximum product of the cost of the schema and the cost of the instance. In the worst case, the validator applies each
 * part of the schema to each part of the instance.
 */
const MAX_TOTAL_COST = 40_000;

/**
 * Result of a validation. `undecided`: the schema or the instance exceeds the limits, or the instance satisfies all
 * keywords except `pattern`, `patternProperties` and `format`, which are not evaluated.
 */
export type Validation = 'valid' | 'undecided' | { readonly fault: string };

/** Maximum length of a validator error, which may contain untrusted values. */
const MAX_ERROR_LENGTH = 160;

/**
 * Validates a JSON value against an untrusted JSON Schema, draft 2020-12, in a limited number of steps.
 *
 * @param instance any JSON value
 * @param schema a schema without a fault of `findSchemaFault` and `findReferenceFault`
 */
export function validateJson(instance: unknown, schema: object): Validation {
  const cost = measureCost(instance, MAX_INSTANCE_COST);
  const limited = cost === Infinity ? null : limitSchema(schema);
  if (limited === null || limited.cost * cost > MAX_TOTAL_COST) return 'undecided';
  // The last argument is a table of reference targets. It is empty, because a limited schema has no references.
  const { valid, errors } = validate(instance, limited.schema, '2020-12', {});
  const last = errors.at(-1);
  if (valid || last === undefined) return limited.isLaxer ? 'undecided' : 'valid';
  const error =
    last.keyword === 'false' ? 'not allowed there' : (cleanText(last.error, MAX_ERROR_LENGTH) ?? 'invalid');
  return { fault: `${quote(last.instanceLocation)}: ${error}` };
}
