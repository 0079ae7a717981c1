import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { resolvePointer } from './schema-pointer.ts';

const IN_PLACE = ['allOf', 'anyOf', 'oneOf'];

/**
 * True when a schema says what a property must be: under `properties`, its own or those of a schema it takes in
 * by `$ref`, `allOf`, `anyOf` or `oneOf`. A reference by anchor, which is not followed, gets the benefit of the
 * doubt.
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
    for (const keyword of IN_PLACE) {
      for (const subschema of [readMember(node, keyword) ?? []].flat()) open.push(subschema);
    }
  }
  return false;
}
