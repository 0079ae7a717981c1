import { removeInvisible } from './clean-text.ts';
import type { Json } from '../types.ts';

const MAX_DEPTH = 32;

/** Limits for untrusted JSON that is stored. */
export interface CleanLimits {
  /** Maximum number of values at all levels. */
  readonly values: number;
  /** Maximum total length of all texts and member names, in UTF-16 units. */
  readonly units: number;
}

interface Budget {
  values: number;
  units: number;
}

/**
 * Copies a JSON value so that it is safe to store and show. Replaces control characters, invisible characters and half
 * surrogate pairs, because databases reject them or terminals interpret them.
 *
 * @param json any value of a parsed JSON document
 * @returns null when the value exceeds the limits or is nested deeper than 32 levels. Values are never truncated,
 * because a truncated JSON Schema would have another meaning.
 */
export function cleanJson(json: unknown, limits: CleanLimits): Json | null {
  return copy(json, { ...limits }, 0) ?? null;
}

/**
 * Returns undefined for a value that exceeds the remaining budget or the maximum depth, and for a value that is not
 * JSON.
 */
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
  // Object.fromEntries creates own members, so `__proto__` becomes an ordinary member.
  return Object.fromEntries(members);
}
