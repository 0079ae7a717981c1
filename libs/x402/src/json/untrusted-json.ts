import type { Json } from '../types.ts';

/**
 * Returns a member of a JSON object or list; undefined for any other value. Ignores members inherited from a prototype.
 */
export function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Returns a member that is text; null for a missing member and for another type. */
export function readText(value: unknown, name: string): string | null {
  const member = readMember(value, name);
  return typeof member === 'string' ? member : null;
}

/**
 * Percent-decodes text. Returns null for a percent sign without two hexadecimal digits, and for bytes that are not
 * UTF-8.
 */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Maximum nesting of a list that is converted to text. Deeper lists could overflow the stack. */
const MAX_LIST_DEPTH = 64;

/**
 * Converts a list to text as JavaScript does. The clients do the same implicitly when a seller sends a list instead of
 * text, for example when they match the value against a pattern.
 *
 * @returns null for a list that cannot be converted, and for a list nested deeper than 64 levels
 */
export function listToText(value: readonly unknown[]): string | null {
  if (isTooDeep(value)) return null;
  try {
    return String(value);
  } catch {
    return null;
  }
}

/** Returns true for a list nested deeper than 64 levels. Reads one level at a time, so no recursion is needed. */
function isTooDeep(list: readonly unknown[]): boolean {
  let level: readonly unknown[] = list;
  for (let depth = 0; depth < MAX_LIST_DEPTH; depth += 1) {
    level = level.filter((item) => Array.isArray(item)).flat();
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * Characters that are invisible or change how other characters are displayed: control characters, line and paragraph
 * separators, direction marks, zero-width spaces and Unicode tags. Joiners are not included, because emoji and some
 * scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const INVISIBLE_RUNS = new RegExp(`${INVISIBLE.source}+`, 'gu');
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const MAX_QUOTE_LENGTH = 80;
const MAX_QUOTED_NAMES = 3;

/**
 * Converts untrusted text to one line that is safe to store and show.
 *
 * Replaces invisible characters and control characters by spaces: databases reject NUL, and terminals interpret other
 * control characters. Replaces lone surrogates, which JSON columns reject, by U+FFFD.
 *
 * @param value any value of a parsed JSON document
 * @param limit maximum length, in UTF-16 units; longer text is truncated
 * @returns null when the value is not text, and when the resulting text is empty
 */
export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  // Truncates before the replacement, so that the work does not grow with untrusted input.
  const text = removeInvisible(value.slice(0, limit)).trim();
  return text === '' ? null : text;
}

/** Replaces each run of invisible characters by a space, and each lone surrogate by U+FFFD. */
function removeInvisible(text: string): string {
  return text.replace(INVISIBLE_RUNS, ' ').toWellFormed();
}

/**
 * Formats an untrusted value for a message. Text is quoted and limited to 80 characters; an object or a list is named
 * by its type only. Invisible characters are written as escapes, because they may be the fault that the message
 * reports.
 */
export function quote(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  return value === undefined ? 'missing' : `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

/** Formats untrusted names for a message: the first three in quotes, and the number of the remaining names. */
export function quoteNames(names: readonly string[]): string {
  const more = names.length > MAX_QUOTED_NAMES ? ` and ${String(names.length - MAX_QUOTED_NAMES)} more` : '';
  return names.slice(0, MAX_QUOTED_NAMES).map(quote).join(', ') + more;
}

function quoteText(text: string): string {
  const shown = JSON.stringify(text.slice(0, MAX_QUOTE_LENGTH).toWellFormed());
  const escaped = shown.replace(EACH_INVISIBLE, escapeInvisible);
  return text.length > MAX_QUOTE_LENGTH ? `${escaped.slice(0, -1)}…"` : escaped;
}

function escapeInvisible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

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
 * Copies a JSON value so that it is safe to store and show. Replaces control characters, invisible characters and lone
 * surrogates, because databases reject or terminals interpret such characters.
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
