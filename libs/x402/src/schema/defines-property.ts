import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { resolvePointer } from './schema-pointer.ts';

/** Keywords whose subschemas apply to the same value as the surrounding schema. */
const IN_PLACE_APPLICATORS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Returns true when a schema defines a property under `properties`, directly or through `$ref`, `allOf`, `anyOf` or
 * `oneOf`. References by anchor, such as `#name`, are not resolved. They count as a definition, because their target
 * may contain one.
 */
export function definesProperty(root: object, name: string): boolean {
  const open: unknown[] = [root];
  const seen = new Set<object>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    if (readMember(readMember(node, 'properties'), name) !== undefined) return true;
    const reference = readMember(node, '$ref');
    const target = typeof reference === 'string' ? resolvePointer(root, reference) : null;
    if (target?.state === 'unknown') return true;
    if (target?.state === 'found') open.push(target.value);
    for (const keyword of IN_PLACE_APPLICATORS) {
      for (const subschema of [readMember(node, keyword) ?? []].flat()) open.push(subschema);
    }
  }
  return false;
}
