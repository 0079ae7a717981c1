import { isJsonObject } from '@touchstone/common';
import { validate } from '@cfworker/json-schema';
import { cleanText, quote, readMember } from '../json/untrusted-json.ts';
import { isKeywordValue, listSchemas } from './schema-faults.ts';

/** Maximum length of a schema as JSON without spaces, in UTF-16 units. */
const MAX_SCHEMA_LENGTH = 4_096;
/** Maximum length of `info` as JSON without spaces, in UTF-16 units. */
const MAX_INFO_LENGTH = 16_384;
/**
 * Maximum product of the number of values in the schema and in `info`. In the worst case, the validator applies each
 * part of the schema to each part of `info`.
 */
const MAX_COMPARISONS = 40_000;
/** Maximum length of a validator error, which may contain untrusted values. */
const MAX_ERROR_LENGTH = 160;
/**
 * Keywords that the validation does not evaluate, even if their values are valid. References can be recursive, and only
 * some facilitators check formats.
 */
const NOT_EVALUATED = new Set(['$ref', 'format']);

/** Result of a validation. `skipReason`: the reason why the schema was not evaluated, as a sentence for people. */
export type Validation = 'valid' | { readonly fault: string } | { readonly skipReason: string };

/**
 * Validates the `info` of a discovery extension against its untrusted JSON Schema, draft 2020-12, in a limited number
 * of steps. Regular expressions of the schema never run: a schema with an unsupported keyword, such as `pattern`, is
 * not evaluated.
 */
export function validateInfo(info: unknown, schema: object): Validation {
  const skipReason = explainSize(measureJson(info), measureJson(schema)) ?? explainUnevaluated(schema);
  if (skipReason !== null) return { skipReason };
  // The last argument is a table of reference targets, which is empty because the schema has no references.
  const { valid, errors } = validate(info, schema, '2020-12', {});
  const last = errors.at(-1);
  if (valid || last === undefined) return 'valid';
  const error =
    last.keyword === 'false' ? 'not allowed there' : (cleanText(last.error, MAX_ERROR_LENGTH) ?? 'invalid');
  return { fault: `${quote(last.instanceLocation)}: ${error}` };
}

interface JsonSize {
  /** Length as JSON without spaces, in UTF-16 units. */
  readonly length: number;
  /** Number of values at all levels. */
  readonly count: number;
  /** False when a name contains a lone surrogate. */
  readonly hasValidNames: boolean;
}

/** Measures a JSON value without recursion, because an untrusted value may have thousands of levels. */
function measureJson(json: unknown): JsonSize {
  let [length, count, hasValidNames] = [0, 0, true];
  const open: unknown[] = [json];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count += 1;
    if (typeof value !== 'object' || value === null) {
      length += JSON.stringify(value).length;
      continue;
    }
    const members = Object.entries(value);
    length += 2 + Math.max(0, members.length - 1);
    for (const [name, member] of members) {
      if (!Array.isArray(value)) length += JSON.stringify(name).length + 1;
      hasValidNames &&= name.isWellFormed();
      open.push(member);
    }
  }
  return { length, count, hasValidNames };
}

function explainSize(info: JsonSize, schema: JsonSize): string | null {
  if (schema.length > MAX_SCHEMA_LENGTH)
    return `bazaar.schema has ${String(schema.length)} characters; this rule evaluates at most ${String(MAX_SCHEMA_LENGTH)}.`;
  if (info.length > MAX_INFO_LENGTH)
    return `bazaar.info has ${String(info.length)} characters; this rule evaluates at most ${String(MAX_INFO_LENGTH)}.`;
  // The validator encodes each name as a URI, which throws for a lone surrogate.
  if (!info.hasValidNames) return 'bazaar.info has a property name that is not valid Unicode.';
  if (info.count * schema.count <= MAX_COMPARISONS) return null;
  return `bazaar.schema has ${String(schema.count)} values and bazaar.info ${String(info.count)}; this rule evaluates at most ${String(MAX_COMPARISONS)} pairs of them.`;
}

function explainUnevaluated(schema: object): string | null {
  for (const node of listSchemas(schema)) {
    for (const [keyword, value] of Object.entries(node)) {
      if (NOT_EVALUATED.has(keyword) || !isKeywordValue(keyword, value))
        return `bazaar.schema has the keyword ${quote(keyword)}, which this rule does not evaluate.`;
    }
    const inherited = listNames(node).find((name) => name in Object.prototype);
    // The facilitators' validator treats an inherited property, such as `toString`, as present in every object. Other
    // validators treat it as missing.
    if (inherited !== undefined)
      return `bazaar.schema names the property ${quote(inherited)}, on which validators differ.`;
  }
  return null;
}

function listNames(node: object): readonly string[] {
  const [properties, required] = [readMember(node, 'properties'), readMember(node, 'required')];
  const names = [isJsonObject(properties) ? Object.keys(properties) : [], required].flat();
  return names.filter((name) => typeof name === 'string');
}
