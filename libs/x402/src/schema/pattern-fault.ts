import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { listSubschemas } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';
import { quote } from '../json/clean-text.ts';

/** UTF-16 units of all patterns of a schema; the worst of that length takes some 30 ms to parse. */
const MAX_UNITS = 4_000;
/** Keywords that hold schemas nobody is held against unless they are referred to. */
const UNAPPLIED = new Set(['$defs', 'definitions', 'contentSchema']);

/**
 * A pattern that is no regular expression, in words to show. The validator facilitators use compiles the
 * patterns of every schema it applies, with the flag `u`, and refuses the whole schema for one it cannot compile.
 * The patterns are only compiled here: that takes time in proportion to their length, and running them may not.
 * Those beyond 4,000 UTF-16 units in all are left unread, and so are schemas referred to by anchor.
 *
 * Source: JSON Schema draft 2020-12 validation, 6.3.3; Ajv 8, `usePattern`.
 *
 * @param root a schema without fault (see `schemaFault`)
 * @returns null when there is none
 */
export function findPatternFault(root: object): string | null {
  let left = MAX_UNITS;
  for (const node of listAppliedSchemas(root)) {
    for (const pattern of listPatterns(node)) {
      if (pattern.length > left) continue;
      left -= pattern.length;
      if (!compiles(pattern)) return `the pattern ${quote(pattern)} is no regular expression`;
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

/** The schemas a value may be held against, each once. */
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

/** False for a keyword without effect, whose schema is not compiled. */
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
