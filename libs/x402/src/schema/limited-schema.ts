import type { Schema } from '@cfworker/json-schema';
import { isObject } from '../json/is-object.ts';
import { measureCost, measureTextCost } from './json-cost.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';

const MAX_COST = 1_000;
const MAX_DEPTH = 32;
/** Cost of the keyword `uniqueItems`, for which the validator compares each item of a list with every other item. */
const UNIQUE_ITEMS_COST = 50;

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

/**
 * Keywords with a reversing effect: if their subschema accepts more values, the surrounding schema may accept fewer.
 */
const REVERSING_KEYWORDS = new Set(['not', 'oneOf', 'if']);
/** Keywords for references whose target is not known before the evaluation. */
const DYNAMIC_REFERENCES = ['$dynamicRef', '$recursiveRef'];

const DROPPED_KEYWORDS = ['pattern', 'patternProperties', 'format'];

/** Copy of a schema that can be evaluated in limited time. */
export interface LimitedSchema {
  readonly schema: Schema | boolean;
  /** Cost of evaluating the schema for one value. */
  readonly cost: number;
  /** True when keywords were dropped, so the original schema may reject values that the copy accepts. */
  readonly isLaxer: boolean;
}

/**
 * Copies an untrusted JSON Schema, so that it can be evaluated in limited time. Copies only the validation and
 * applicator keywords of draft 2020-12, and replaces references by their targets. The copy has at most 32 levels and a
 * cost of at most 1,000: 1 for each keyword, value and name, and more for long texts.
 *
 * Drops `pattern` and `patternProperties`, because an untrusted regular expression can run for a very long time. Drops
 * `format`, because only some facilitators evaluate it. Every value that the original schema accepts is therefore
 * accepted by the copy. There is no copy if dropping a keyword could break that guarantee, for example under `not`.
 *
 * @param schema a schema without a fault of `findSchemaFault` and `findReferenceFault`
 * @returns null when the schema exceeds these limits (for example because it is recursive), when it contains a
 * reference by anchor, and when it names a property that every JavaScript object inherits
 */
export function limitSchema(schema: object): LimitedSchema | null {
  const budget: Budget = { root: schema, left: MAX_COST, isLaxer: false };
  const limited = copySchema(schema, budget, { depth: 0, isReversed: false });
  return budget.left < 0 ? null : { schema: limited, cost: MAX_COST - budget.left, isLaxer: budget.isLaxer };
}

interface Budget {
  readonly root: object;
  /** Remaining cost. The copy is discarded if the cost falls below zero. */
  left: number;
  isLaxer: boolean;
}

interface Position {
  readonly depth: number;
  /**
   * True inside a reversing keyword such as `not`, where a subschema that accepts more makes the whole schema accept
   * less.
   */
  readonly isReversed: boolean;
}

/** Budget and position of the schema that is being copied. */
interface CopyState {
  readonly budget: Budget;
  readonly position: Position;
}

function copySchema(source: unknown, budget: Budget, position: Position): Schema | boolean {
  spendCost(budget, position.depth > MAX_DEPTH ? Infinity : 1);
  if (budget.left < 0 || typeof source === 'boolean' || !isObject(source)) return source !== false;
  const copy: Schema = {};
  copyAssertions(source, copy, budget);
  copyApplicators(source, copy, { budget, position: { ...position, depth: position.depth + 1 } });
  dropKeywords(source, copy, { budget, position });
  return copy;
}

function copyAssertions(source: object, copy: Schema, budget: Budget): void {
  for (const keyword of ASSERTIONS) {
    const value = readKeyword(source, keyword, budget);
    if (value === undefined) continue;
    const isUnsafe = listRequiredNames(keyword, value).some(isInherited);
    spendCost(budget, isUnsafe ? Infinity : measureCost(value, budget.left));
    setKeyword(copy, keyword, value);
  }
  if (readKeyword(source, 'uniqueItems', budget) === true) {
    spendCost(budget, UNIQUE_ITEMS_COST);
    setKeyword(copy, 'uniqueItems', true);
  }
  const types = readTypes(source, budget);
  if (types.length > 0) setKeyword(copy, 'type', types);
  spendCost(budget, types.length);
}

/** Returns the property names that `required` and `dependentRequired` refer to; empty for other keywords. */
function listRequiredNames(keyword: string, value: unknown): readonly unknown[] {
  if (keyword === 'required' && Array.isArray(value)) return value;
  if (keyword !== 'dependentRequired' || !isObject(value)) return [];
  const lists: readonly unknown[] = Object.values(value);
  return [...Object.keys(value), ...lists.flat()];
}

/**
 * Returns true for a name that every JavaScript object inherits, such as `constructor`. The facilitators' validator
 * treats such a property as present in every object; other validators do not.
 */
function isInherited(name: unknown): boolean {
  return typeof name === 'string' && name in Object.prototype;
}

/** Returns the allowed types. Includes `null` for the OpenAPI keyword `nullable`, as in the facilitators' validator. */
function readTypes(source: object, budget: Budget): readonly unknown[] {
  const types = [readKeyword(source, 'type', budget) ?? []].flat();
  return types.length > 0 && readMember(source, 'nullable') === true ? [...types, 'null'] : types;
}

function copyApplicators(source: object, copy: Schema, { budget, position }: CopyState): void {
  // With `maxContains`, a `contains` subschema that accepts more items can make the list invalid.
  const hasMaxContains = readMember(source, 'maxContains') !== undefined;
  const copySubschema = (keyword: string, value: unknown): Schema | boolean => {
    const isReversed =
      position.isReversed || REVERSING_KEYWORDS.has(keyword) || (keyword === 'contains' && hasMaxContains);
    return copySchema(value, budget, { ...position, isReversed });
  };
  for (const keyword of APPLICATORS) {
    const value = readKeyword(source, keyword, budget);
    if (value !== undefined) setKeyword(copy, keyword, copySubschema(keyword, value));
  }
  for (const keyword of LIST_APPLICATORS) {
    const value = readKeyword(source, keyword, budget);
    if (!Array.isArray(value)) continue;
    const items = value.map((item) => copySubschema(keyword, item));
    setKeyword(copy, keyword, items);
  }
  for (const keyword of MAP_APPLICATORS) {
    const value = readKeyword(source, keyword, budget);
    if (!isObject(value)) continue;
    const map = copyMap(value, budget, (item) => copySubschema(keyword, item));
    setKeyword(copy, keyword, map);
  }
  const all = [...resolveReference(source, budget), ...[readKeyword(source, 'allOf', budget) ?? []].flat()];
  if (all.length === 0) return;
  const items = all.map((item) => copySubschema('allOf', item));
  setKeyword(copy, 'allOf', items);
}

type SchemaMap = Readonly<Record<string, Schema | boolean>>;

/** Copies an object whose members are schemas. Object.fromEntries makes each untrusted name an own member. */
function copyMap(map: object, budget: Budget, copySubschema: (item: unknown) => Schema | boolean): SchemaMap {
  const entries = Object.entries(map).map(([name, item]) => {
    spendCost(budget, name.isWellFormed() && !isInherited(name) ? measureTextCost(name) : Infinity);
    return [name, copySubschema(item)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns a list that contains only the schema to which `$ref` points; an empty list for a schema without `$ref`.
 * Discards the copy when that schema cannot be found.
 */
function resolveReference(source: object, budget: Budget): readonly unknown[] {
  if (DYNAMIC_REFERENCES.some((keyword) => Object.hasOwn(source, keyword))) spendCost(budget, Infinity);
  const reference = readMember(source, '$ref');
  if (typeof reference !== 'string') return [];
  spendCost(budget, measureTextCost(reference));
  const target = resolvePointer(budget.root, reference);
  if (target.state === 'found' && isSchema(target.value)) return [target.value];
  spendCost(budget, Infinity);
  return [];
}

/** Records that keywords are dropped. Discards the copy if that would make the schema stricter. */
function dropKeywords(source: object, copy: Schema, { budget, position }: CopyState): void {
  if (!DROPPED_KEYWORDS.some((keyword) => Object.hasOwn(source, keyword))) return;
  budget.isLaxer = true;
  if (position.isReversed) spendCost(budget, Infinity);
  // `additionalProperties` and `unevaluatedProperties` do not apply to a property that matches a pattern. Without the
  // patterns it is unknown which properties match, so all properties are allowed.
  if (Object.hasOwn(source, 'patternProperties')) setKeyword(copy, 'additionalProperties', true);
}

function spendCost(budget: Budget, cost: number): void {
  budget.left -= cost;
}

/**
 * Reads the value of a keyword. Discards the copy if the value is invalid. That can happen because a reference may
 * point to a place that was not checked before, such as an example.
 */
function readKeyword(source: object, keyword: string, budget: Budget): unknown {
  const value = readMember(source, keyword);
  if (value === undefined || isKeywordValue(keyword, value)) return value;
  spendCost(budget, Infinity);
  return undefined;
}

/**
 * Sets a keyword whose name is only known at run time. TypeScript cannot check the type of the value here, but
 * `readKeyword` has checked it.
 */
function setKeyword(copy: Schema, keyword: string, value: unknown): void {
  copy[keyword] = value;
}
