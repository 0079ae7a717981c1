import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema, listSubschemas } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';
import { quote } from '../json/clean-text.ts';

/**
 * URL of the supported JSON Schema dialect. Empty text is allowed, because the facilitators' validator treats it as
 * absent.
 */
const DIALECT = /^(https:\/\/json-schema\.org\/draft\/2020-12\/schema#?)?$/;

/**
 * Finds the first unsupported dialect or invalid keyword value in a JSON Schema, and returns the fault as text for
 * people. Takes linear time and follows no references.
 * Source: the meta-schema of draft 2020-12, against which facilitators validate schemas.
 *
 * @returns null for a valid schema of draft 2020-12
 */
export function findSchemaFault(schema: object): string | null {
  const dialect = readMember(schema, '$schema');
  if (typeof dialect === 'string' && !DIALECT.test(dialect)) return `its dialect is ${quote(dialect)}`;
  for (const node of listSchemas(schema)) {
    const fault = Object.entries(node).find(([keyword, value]) => !isKeywordValue(keyword, value));
    if (fault !== undefined) return `${fault[0]} is ${describe(fault[1])}`;
  }
  return null;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list that is not allowed there';
  return isObject(value) ? 'an object that is not allowed there' : quote(value);
}

/**
 * Finds a fault in the references of a schema, and returns it as text for people. A `$ref` or `$id` must not point
 * outside the schema, even where it is only a property name or part of an example, because facilitators reject such a
 * schema. A `$ref` must point to a schema.
 * Source: x402 discovery extension, "Schema Validation"; @x402/extensions, `validateDiscoveryExtension`.
 *
 * @returns null when all references point to schemas inside the schema
 */
export function findReferenceFault(schema: object): string | null {
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === '$ref' || key === '$id') && !isLocal(value))
        return `${key} ${quote(value)} points outside it`;
      open.push(value);
    }
  }
  for (const node of listSchemas(schema)) {
    const reference = readMember(node, '$ref');
    if (typeof reference === 'string' && isDangling(schema, reference))
      return `$ref ${quote(reference)} points to no schema in it`;
  }
  return null;
}

function isLocal(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('#');
}

function isDangling(root: object, reference: string): boolean {
  const target = resolvePointer(root, reference);
  return target.state === 'dangling' || (target.state === 'found' && !isSchema(target.value));
}

/** Returns a schema and all its subschemas, except boolean schemas. */
function listSchemas(schema: object): readonly object[] {
  const found: object[] = [];
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node)) continue;
    found.push(node);
    for (const [keyword, value] of Object.entries(node)) {
      for (const subschema of listSubschemas(keyword, value)) open.push(subschema);
    }
  }
  return found;
}
