import { removeInvisible } from './clean-text.ts';
import type { Json } from '../types.ts';

const MAX_DEPTH = 32;

/** How much of a stranger's JSON is kept. */
export interface CleanLimits {
  /** Values in it, however they are nested. */
  readonly values: number;
  /** UTF-16 units of all texts and names together. */
  readonly units: number;
}

interface Budget {
  values: number;
  units: number;
}

/**
 * A copy of a JSON value that can be kept: texts without control and invisible characters and without half
 * surrogate pairs, which databases and terminals refuse or obey. Lists and objects are copied member by member into plain ones.
 *
 * @param json anything out of a parsed JSON document
 * @returns null when it is more than the limits allow or nested deeper than 32 levels: half of a schema would
 * mean something else
 */
export function cleanJson(json: unknown, limits: CleanLimits): Json | null {
  return copy(json, { ...limits }, 0) ?? null;
}

/** Undefined when the budget is spent, or for what is no JSON. */
function copy(value: unknown, budget: Budget, depth: number): Json | undefined {
  budget.values -= 1;
  if (budget.values < 0 || depth > MAX_DEPTH) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return copyText(value, budget);
  if (Array.isArray(value)) return copyList(value, budget, depth);
  return typeof value === 'object' ? copyObject(value, budget, depth) : undefined;
}

function copyText(text: string, budget: Budget): string | undefined {
  budget.units -= text.length;
  return budget.units < 0 ? undefined : removeInvisible(text);
}

function copyList(list: readonly unknown[], budget: Budget, depth: number): Json | undefined {
  const copied: Json[] = [];
  for (const item of list) {
    const kept = copy(item, budget, depth + 1);
    if (kept === undefined) return undefined;
    copied.push(kept);
  }
  return copied;
}

function copyObject(object: object, budget: Budget, depth: number): Json | undefined {
  const members: [string, Json][] = [];
  for (const [name, item] of Object.entries(object)) {
    const [keptName, kept] = [copyText(name, budget), copy(item, budget, depth + 1)];
    if (keptName === undefined || kept === undefined) return undefined;
    members.push([keptName, kept]);
  }
  // Object.fromEntries defines members, so one called __proto__ is a member like any other.
  return Object.fromEntries(members);
}
