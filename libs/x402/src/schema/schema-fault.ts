import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema, listSubschemas } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';
import { quote } from '../json/clean-text.ts';

/** An empty one counts as none to the validator facilitators use. */
const DIALECT = /^(https:\/\/json-schema\.org\/draft\/2020-12\/schema#?)?$/;

/**
 * What is wrong with the form of a JSON Schema, in words to show: another dialect, or a keyword with a value
 * that draft 2020-12 does not allow it. Takes steps in proportion to the size of the schema, and follows no
 * reference. Source: the meta-schema of draft 2020-12, which facilitators check by.
 *
 * @returns null when it is a well-formed schema of that draft
 */
export function findSchemaFault(schema: object): string | null {
  const dialect = readMember(schema, '$schema');
  if (typeof dialect === 'string' && !DIALECT.test(dialect)) return `it is of dialect ${quote(dialect)}`;
  for (const node of listSchemas(schema)) {
    const fault = Object.entries(node).find(([keyword, value]) => !isKeywordValue(keyword, value));
    if (fault !== undefined) return `${fault[0]} is ${describe(fault[1])}`;
  }
  return null;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list that may not be listed there';
  return isObject(value) ? 'an object that may not be there' : quote(value);
}

/**
 * What is wrong with the references of a schema, in words to show: a `$ref` or `$id` that leaves the document,
 * or a `$ref` that points at nothing in it. Facilitators refuse the first anywhere, also where it is the name
 * of a property or part of an example.
 * Source: x402 discovery extension, "Schema Validation"; @x402/extensions, `validateDiscoveryExtension`.
 *
 * @returns null when all stay within it
 */
export function findReferenceFault(schema: object): string | null {
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === '$ref' || key === '$id') && !isLocal(value)) return `${key} ${quote(value)} leaves it`;
      open.push(value);
    }
  }
  for (const node of listSchemas(schema)) {
    const reference = readMember(node, '$ref');
    if (typeof reference === 'string' && isDangling(schema, reference))
      return `$ref ${quote(reference)} points at no schema in it`;
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

/** A schema and the schemas within it, as far as they are objects. */
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
