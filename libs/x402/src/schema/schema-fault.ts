import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema, listSubschemas } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';
import { quote } from '../json/clean-text.ts';

/** The validator of facilitators treats an empty dialect as absent. */
const DIALECT = /^(https:\/\/json-schema\.org\/draft\/2020-12\/schema#?)?$/;

/**
 * Finds a fault in the form of a JSON Schema, and returns it as text for people: another dialect, or a keyword with a
 * value that draft 2020-12 does not allow. Takes linear time and follows no references. Source: the meta-schema of
 * draft 2020-12, which facilitators validate against.
 *
 * @returns null for a well-formed schema of that draft
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
 * Finds a fault in the references of a schema, and returns it as text for people: a `$ref` or `$id` that points
 * outside the schema, or a `$ref` that points to no schema in it. Facilitators reject the first anywhere, even as the
 * name of a property or in an example.
 * Source: x402 discovery extension, "Schema Validation"; @x402/extensions, `validateDiscoveryExtension`.
 *
 * @returns null when all references point to schemas in it
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

/** Returns a schema and all its subschemas that are objects. */
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
