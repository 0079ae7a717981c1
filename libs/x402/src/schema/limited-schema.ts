import type { Schema } from '@cfworker/json-schema';
import { isObject } from '../json/is-object.ts';
import { measureCost, measureTextCost } from './json-cost.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema } from './schema-keywords.ts';
import { resolvePointer } from './schema-pointer.ts';

const MAX_COST = 1_000;
const MAX_DEPTH = 32;
/** Cost of `uniqueItems`, which compares every item of a list with every other. */
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

/** Keywords under which a subschema that accepts more makes the whole schema accept less. */
const REVERSING_KEYWORDS = new Set(['not', 'oneOf', 'if']);
/** References whose target depends on the path of evaluation. */
const DYNAMIC_REFERENCES = ['$dynamicRef', '$recursiveRef'];

const DROPPED_KEYWORDS = ['pattern', 'patternProperties', 'format'];

/** A schema that is safe to evaluate. */
export interface LimitedSchema {
  readonly schema: Schema | boolean;
  /** Cost of evaluating the schema for one value. */
  readonly cost: number;
  /** True when keywords were dropped. The original schema may then reject values that the copy accepts. */
  readonly isLaxer: boolean;
}

/**
 * Copies an untrusted JSON Schema into one whose evaluation is limited. Copies only the validation and applicator
 * keywords of draft 2020-12, and replaces references by their targets. The copy costs at most 1,000 (one for each
 * keyword, value and name, more for long texts) and has at most 32 levels.
 *
 * Drops `pattern` and `patternProperties`, because an untrusted regular expression can run for a very long time. Drops
 * `format`, because only some facilitators evaluate it. The copy therefore accepts more values than the original, never
 * fewer. Where it would accept fewer, as under `not`, there is no copy.
 *
 * @param schema a schema without a fault of `findSchemaFault` and `findReferenceFault`
 * @returns null for a schema beyond these limits (such as a recursive one), for references by anchor, and for a schema
 * that requires a property which every JavaScript object inherits
 */
export function limitSchema(schema: object): LimitedSchema | null {
  const budget: Budget = { root: schema, left: MAX_COST, isLaxer: false };
  const limited = copySchema(schema, budget, { depth: 0, isReversed: false });
  return budget.left < 0 ? null : { schema: limited, cost: MAX_COST - budget.left, isLaxer: budget.isLaxer };
}

interface Budget {
  readonly root: object;
  /** Remaining cost. Below zero, the limits are exceeded and the copy is discarded. */
  left: number;
  isLaxer: boolean;
}

interface Position {
  readonly depth: number;
  /** True below a keyword that turns a laxer subschema into a stricter schema. */
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

/** Returns the properties whose presence an assertion depends on. */
function listRequiredNames(keyword: string, value: unknown): readonly unknown[] {
  if (keyword === 'required' && Array.isArray(value)) return value;
  if (keyword !== 'dependentRequired' || !isObject(value)) return [];
  const lists: readonly unknown[] = Object.values(value);
  return [...Object.keys(value), ...lists.flat()];
}

/**
 * Returns true for a name such as `constructor`. The validator of facilitators finds it in every object; others do
 * not.
 */
function isInherited(name: unknown): boolean {
  return typeof name === 'string' && name in Object.prototype;
}

/** Reads the types. The reference validator supports `nullable` of OpenAPI next to a type. */
function readTypes(source: object, budget: Budget): readonly unknown[] {
  const types = [readKeyword(source, 'type', budget) ?? []].flat();
  return types.length > 0 && readMember(source, 'nullable') === true ? [...types, 'null'] : types;
}

function copyApplicators(source: object, copy: Schema, { budget, position }: CopyState): void {
  // With `maxContains`, items that match count against the limit.
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

/** Copies a map of schemas. The names are untrusted; `Object.fromEntries` makes each an own member. */
function copyMap(map: object, budget: Budget, copySubschema: (item: unknown) => Schema | boolean): SchemaMap {
  const entries = Object.entries(map).map(([name, item]) => {
    spendCost(budget, name.isWellFormed() && !isInherited(name) ? measureTextCost(name) : Infinity);
    return [name, copySubschema(item)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the target schema of a `$ref`, as a list with one element or none. */
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

/** Drops keywords where that makes the schema laxer. Discards the copy where it would make the schema stricter. */
function dropKeywords(source: object, copy: Schema, { budget, position }: CopyState): void {
  if (!DROPPED_KEYWORDS.some((keyword) => Object.hasOwn(source, keyword))) return;
  budget.isLaxer = true;
  if (position.isReversed) spendCost(budget, Infinity);
  // Any property may match a dropped pattern. It is then neither an additional nor an unevaluated property.
  if (Object.hasOwn(source, 'patternProperties')) setKeyword(copy, 'additionalProperties', true);
}

function spendCost(budget: Budget, cost: number): void {
  budget.left -= cost;
}

/**
 * Reads the value of a keyword. A reference may point to a place that was not checked for faults, such as an example. A
 * fault found there discards the copy.
 */
function readKeyword(source: object, keyword: string, budget: Budget): unknown {
  const value = readMember(source, keyword);
  if (value === undefined || isKeywordValue(keyword, value)) return value;
  spendCost(budget, Infinity);
  return undefined;
}

/**
 * Sets a keyword by name. The validator's type has one type per keyword; `readKeyword` has already checked the value.
 */
function setKeyword(copy: Schema, keyword: string, value: unknown): void {
  copy[keyword] = value;
}
