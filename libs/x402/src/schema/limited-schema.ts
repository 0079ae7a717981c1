import type { Schema } from '@cfworker/json-schema';
import { isObject } from '../json/is-object.ts';
import { measureCost, measureTextCost } from './json-cost.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';

const MAX_WEIGHT = 1_000;
const MAX_DEPTH = 32;
/** A list is compared with itself, item by item. */
const UNIQUE_ITEMS_WEIGHT = 50;

const ASSERTIONS = [
  ...['const', 'enum', 'required', 'dependentRequired', 'minItems', 'maxItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
];
const APPLICATORS = [
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const LIST_APPLICATORS = ['anyOf', 'oneOf', 'prefixItems'];
const MAP_APPLICATORS = ['properties', 'dependentSchemas'];

/** Where a laxer subschema makes a stricter schema. */
const REVERSING = new Set(['not', 'oneOf', 'if']);
/** References whose target depends on how they were come by. */
const DYNAMIC = ['$dynamicRef', '$recursiveRef'];

/** What is not evaluated. */
const LEFT_OUT = ['pattern', 'patternProperties', 'format'];

/** A schema that is safe to evaluate. */
export interface LimitedSchema {
  readonly schema: Schema | boolean;
  /** How much work it is for every value it is held against. */
  readonly cost: number;
  /** True when something was left out; what the copy accepts, the original may then refuse. */
  readonly isLaxer: boolean;
}

/**
 * Copies a stranger's JSON Schema into one whose evaluation ends: keyword by keyword, the validation and
 * applicator vocabularies of draft 2020-12 only, with references put in place. The copy weighs at most 1,000
 * (one for every keyword, value and name, more for long texts) and is at most 32 levels deep.
 *
 * Left out are `pattern` and `patternProperties`, since a stranger's regular expression can run for years, and
 * `format`, which some facilitators evaluate and others do not. Without them the copy accepts more than the
 * original, never less; where less would be the outcome, as under `not`, there is no copy.
 *
 * @param schema a schema without fault (see `schemaFault` and `referenceFault`)
 * @returns null for a schema beyond these limits, a recursive one among them, for references by anchor, and for
 * one that asks for a property every JavaScript object inherits
 */
export function limitSchema(schema: object): LimitedSchema | null {
  const work: Work = { root: schema, left: MAX_WEIGHT, isLaxer: false };
  const tame = copySchema(schema, work, { depth: 0, isReversed: false });
  return work.left < 0 ? null : { schema: tame, cost: MAX_WEIGHT - work.left, isLaxer: work.isLaxer };
}

interface Work {
  readonly root: object;
  /** Below zero when the limits are passed; what is copied from then on is thrown away. */
  left: number;
  isLaxer: boolean;
}

interface Place {
  readonly depth: number;
  /** Below a keyword that turns a laxer subschema into a stricter schema. */
  readonly isReversed: boolean;
}

function copySchema(source: unknown, work: Work, place: Place): Schema | boolean {
  spendCost(work, place.depth > MAX_DEPTH ? Infinity : 1);
  if (work.left < 0 || typeof source === 'boolean' || !isObject(source)) return source !== false;
  const copy: Schema = {};
  copyAssertions(source, copy, work);
  copyApplicators(source, copy, { work, place: { ...place, depth: place.depth + 1 } });
  dropKeywords(source, copy, { work, place });
  return copy;
}

function copyAssertions(source: object, copy: Schema, work: Work): void {
  for (const keyword of ASSERTIONS) {
    const value = readKeyword(source, keyword, work);
    if (value === undefined) continue;
    spendCost(
      work,
      listRequiredNames(keyword, value).some(isInherited) ? Infinity : measureCost(value, work.left),
    );
    setKeyword(copy, keyword, value);
  }
  if (readKeyword(source, 'uniqueItems', work) === true) {
    spendCost(work, UNIQUE_ITEMS_WEIGHT);
    setKeyword(copy, 'uniqueItems', true);
  }
  const types = readTypes(source, work);
  if (types.length > 0) setKeyword(copy, 'type', types);
  spendCost(work, types.length);
}

/** The properties whose presence an assertion asks for. */
function listRequiredNames(keyword: string, value: unknown): readonly unknown[] {
  if (keyword === 'required' && Array.isArray(value)) return value;
  if (keyword !== 'dependentRequired' || !isObject(value)) return [];
  const lists: readonly unknown[] = Object.values(value);
  return [...Object.keys(value), ...lists.flat()];
}

/** To the validator of facilitators every object has a `constructor`; to other validators it has not. */
function isInherited(name: unknown): boolean {
  return typeof name === 'string' && name in Object.prototype;
}

/** The reference validator knows `nullable` of OpenAPI, where a type is given. */
function readTypes(source: object, work: Work): readonly unknown[] {
  const types = [readKeyword(source, 'type', work) ?? []].flat();
  return types.length > 0 && readMember(source, 'nullable') === true ? [...types, 'null'] : types;
}

interface Bench {
  readonly work: Work;
  readonly place: Place;
}

function copyApplicators(source: object, copy: Schema, { work, place }: Bench): void {
  // How many items a schema must not match is counted by `maxContains`.
  const counted = readMember(source, 'maxContains') !== undefined;
  const tame = (keyword: string, value: unknown): Schema | boolean => {
    const reversed = place.isReversed || REVERSING.has(keyword) || (keyword === 'contains' && counted);
    return copySchema(value, work, { ...place, isReversed: reversed });
  };
  for (const keyword of APPLICATORS) {
    const value = readKeyword(source, keyword, work);
    if (value !== undefined) setKeyword(copy, keyword, tame(keyword, value));
  }
  for (const keyword of LIST_APPLICATORS) {
    const value = readKeyword(source, keyword, work);
    if (Array.isArray(value))
      setKeyword(
        copy,
        keyword,
        value.map((item) => tame(keyword, item)),
      );
  }
  for (const keyword of MAP_APPLICATORS) {
    const value = readKeyword(source, keyword, work);
    if (isObject(value))
      setKeyword(
        copy,
        keyword,
        copyMap(value, work, (item) => tame(keyword, item)),
      );
  }
  const all = [...resolveReference(source, work), ...[readKeyword(source, 'allOf', work) ?? []].flat()];
  if (all.length > 0)
    setKeyword(
      copy,
      'allOf',
      all.map((item) => tame('allOf', item)),
    );
}

type SchemaMap = Readonly<Record<string, Schema | boolean>>;

/** The names are a stranger's: made from entries, the map holds each as its own. */
function copyMap(map: object, work: Work, tame: (item: unknown) => Schema | boolean): SchemaMap {
  const entries = Object.entries(map).map(([name, item]) => {
    spendCost(work, name.isWellFormed() && !isInherited(name) ? measureTextCost(name) : Infinity);
    return [name, tame(item)] as const;
  });
  return Object.fromEntries(entries);
}

/** The schema a `$ref` stands for, as a list of one or none. */
function resolveReference(source: object, work: Work): readonly unknown[] {
  if (DYNAMIC.some((keyword) => Object.hasOwn(source, keyword))) spendCost(work, Infinity);
  const reference = readMember(source, '$ref');
  if (typeof reference !== 'string') return [];
  spendCost(work, measureTextCost(reference));
  const target = resolvePointer(work.root, reference);
  if (target.state === 'found' && isSchema(target.value)) return [target.value];
  spendCost(work, Infinity);
  return [];
}

/** Leaves keywords out where that makes the schema laxer, and gives up where it makes it stricter. */
function dropKeywords(source: object, copy: Schema, { work, place }: Bench): void {
  if (!LEFT_OUT.some((keyword) => Object.hasOwn(source, keyword))) return;
  work.isLaxer = true;
  if (place.isReversed) spendCost(work, Infinity);
  // Any property may be one of a pattern, and then no additional or unevaluated one.
  if (Object.hasOwn(source, 'patternProperties')) setKeyword(copy, 'additionalProperties', true);
}

function spendCost(work: Work, weight: number): void {
  work.left -= weight;
}

/**
 * The value of a keyword. A reference may lead to where nobody has looked for faults, into an example say, and
 * one found there ends the copy.
 */
function readKeyword(source: object, keyword: string, work: Work): unknown {
  const value = readMember(source, keyword);
  if (value === undefined || isKeywordValue(keyword, value)) return value;
  spendCost(work, Infinity);
  return undefined;
}

/** By name, since the interpreter's type tells keywords apart and `readKeyword` has seen to their values. */
function setKeyword(copy: Schema, keyword: string, value: unknown): void {
  copy[keyword] = value;
}
