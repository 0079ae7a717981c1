import { validate } from '@cfworker/json-schema';
import { measureCost } from './json-cost.ts';
import { limitSchema } from './limited-schema.ts';
import { cleanText, quote } from '../json/clean-text.ts';

const MAX_INSTANCE_WEIGHT = 500;
/** Every part of the schema may meet every part of the instance, and each meeting may leave an error behind. */
const MAX_MEETINGS = 40_000;

/**
 * `undecided` where the schema is beyond what a stranger's schema may ask for, and where all of it holds but what
 * is not evaluated: `pattern`, `patternProperties` and `format`.
 */
export type Validation = 'valid' | 'undecided' | { readonly fault: string };

/** The interpreter repeats values in its words, which are a stranger's. */
const ERROR_LENGTH = 160;

/**
 * Validates a JSON value against a stranger's JSON Schema, draft 2020-12, within a bounded number of steps.
 *
 * @param instance any JSON value
 * @param schema a schema without fault (see `schemaFault` and `referenceFault`)
 */
export function validateJson(instance: unknown, schema: object): Validation {
  const weight = measureCost(instance, MAX_INSTANCE_WEIGHT);
  const tame = weight === Infinity ? null : limitSchema(schema);
  if (tame === null || tame.cost * weight > MAX_MEETINGS) return 'undecided';
  // The interpreter looks references up in a table; a tame schema has none.
  const { valid, errors } = validate(instance, tame.schema, '2020-12', {});
  const last = errors.at(-1);
  if (valid || last === undefined) return tame.isLaxer ? 'undecided' : 'valid';
  const error =
    last.keyword === 'false' ? 'not allowed there' : (cleanText(last.error, ERROR_LENGTH) ?? 'invalid');
  return { fault: `${quote(last.instanceLocation)}: ${error}` };
}
