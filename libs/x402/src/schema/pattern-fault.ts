import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { listSubschemas } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';
import { quote } from '../json/clean-text.ts';

/**
 * Maximum total length of a schema's patterns, in UTF-16 units. The slowest patterns of that length take about 30 ms to
 * compile.
 */
const MAX_PATTERN_UNITS = 4_000;
/** Keywords whose subschemas are not evaluated, unless a reference points to them. */
const UNAPPLIED = new Set(['$defs', 'definitions', 'contentSchema']);

/**
 * Finds a pattern that is not a valid regular expression, and returns the fault as text for people. The facilitators'
 * validator compiles each pattern that may apply to a value, with the flag `u`. If a pattern does not compile, it
 * rejects the whole schema. Patterns are compiled here but never executed, because execution can take exponential time.
 * Patterns beyond 4,000 UTF-16 units in total, and schemas referenced by anchor, are not checked.
 *
 * Source: JSON Schema draft 2020-12 validation, 6.3.3; Ajv 8, `usePattern`.
 *
 * @param root a schema without a fault of `findSchemaFault`
 * @returns null when all checked patterns are valid
 */
export function findPatternFault(root: object): string | null {
  let left = MAX_PATTERN_UNITS;
  for (const node of listAppliedSchemas(root)) {
    for (const pattern of listPatterns(node)) {
      if (pattern.length > left) continue;
      left -= pattern.length;
      if (!compiles(pattern)) return `the pattern ${quote(pattern)} is not a regular expression`;
    }
  }
  return null;
}

function listPatterns(node: object): readonly string[] {
  const pattern = readMember(node, 'pattern');
  const byName = readMember(node, 'patternProperties');
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(byName) ? Object.keys(byName) : []),
  ];
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

/** Yields each schema that may apply to a value, without duplicates. */
function* listAppliedSchemas(root: object): Generator<object> {
  const open: unknown[] = [root];
  const seen = new Set<object>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    yield node;
    const reference = readMember(node, '$ref');
    const target = typeof reference === 'string' ? resolvePointer(root, reference) : null;
    if (target?.state === 'found') open.push(target.value);
    for (const [keyword, value] of Object.entries(node)) {
      if (!isApplied(keyword, node)) continue;
      for (const subschema of listSubschemas(keyword, value)) open.push(subschema);
    }
  }
}

/**
 * Returns false for a keyword without effect, such as `then` without `if`. The validator does not compile the patterns
 * inside such a keyword.
 */
function isApplied(keyword: string, node: object): boolean {
  const has = (name: string): boolean => readMember(node, name) !== undefined;
  switch (keyword) {
    case 'if':
      return has('then') || has('else');
    case 'then':
    case 'else':
      return has('if');
    case 'contains':
      return readMember(node, 'minContains') !== 0 || has('maxContains');
    default:
      return !UNAPPLIED.has(keyword);
  }
}
