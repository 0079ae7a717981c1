import { parseJson } from '@touchstone/common';
import type { Tool } from '@touchstone/contract';
import { getAdvertisedSchemas, type Members } from './tool-schemas.ts';

type Parsed = ReturnType<Tool['input']['safeParse']>;
type Issue = NonNullable<Parsed['error']>['issues'][number];

/** Arguments as the tool understands them, with the result of their validation. */
interface ReadArguments {
  readonly parsed: Parsed;
  readonly members: Members;
}

/**
 * Validates the arguments of a call. Arguments whose meaning is clear are accepted as well, because many clients send
 * them: null, `"null"` or empty text for an absent member, a number or JSON as text (`"5"` for 5), and additional
 * arguments such as `toolCallId`. The request is created from the understood arguments, so a payment is bound to the understood arguments.
 *
 * An additional argument is refused if its name resembles a member of the tool. A misspelled member, if ignored, would
 * charge a payer for another request.
 */
export function readArguments(tool: Tool, received: Members): ReadArguments {
  // The arguments come from JSON, so a copy through JSON is equal.
  const members = JSON.parse(JSON.stringify(received)) as Record<string, unknown>;
  for (const name of listAbsent(tool, members)) Reflect.deleteProperty(members, name);
  for (;;) {
    const parsed = tool.input.safeParse(members);
    // Each repair leaves one null, text or member less, so the number of repairs is limited.
    const isRepaired = parsed.error?.issues.map((issue) => repair(tool, members, issue)).includes(true);
    if (isRepaired !== true) return { parsed, members };
  }
}

/** Repairs the value of an issue if its meaning is clear. Returns false if nothing changed. */
function repair(tool: Tool, members: Record<string, unknown>, issue: Issue): boolean {
  const { code, path } = issue;
  if (code === 'unrecognized_keys' && path.length === 0)
    return listAdditional(tool, issue.keys).map((name) => Reflect.deleteProperty(members, name)).length > 0;
  const name = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), members);
  if (name === undefined || typeof parent !== 'object' || parent === null) return false;
  const value: unknown = Reflect.get(parent, name);
  if (value === null && !Array.isArray(parent)) return Reflect.deleteProperty(parent, name);
  // A value of the right type, such as a secret of the wrong length, is no JSON text.
  if (code !== 'invalid_type' && code !== 'invalid_union') return false;
  const isText = code === 'invalid_type' && issue.expected === 'string';
  const meant = isText && typeof value === 'number' ? String(value) : readJsonText(value);
  return meant !== undefined && Reflect.set(parent, name, meant);
}

/** Returns the value of a JSON text; undefined for null, for a text, and for a value that is not JSON text. */
function readJsonText(text: unknown): unknown {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  return value === null || typeof value === 'string' ? undefined : value;
}

/** Texts that clients send for an optional member without a value. */
const ABSENT_TEXTS: ReadonlySet<unknown> = new Set(['', 'null', 'None', 'undefined']);

/** Lists the optional members whose text means that they are absent. */
function listAbsent(tool: Tool, members: Members): readonly string[] {
  const { required = [] } = readInputSchema(tool) as { readonly required?: readonly string[] };
  return Object.keys(members).filter((name) => ABSENT_TEXTS.has(members[name]) && !required.includes(name));
}

function readInputSchema(tool: Tool): Record<string, unknown> {
  return getAdvertisedSchemas(tool).input['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}

/** Lists the names that resemble no member of the tool. */
function listAdditional(tool: Tool, names: readonly string[]): readonly string[] {
  const known = listMemberNames(tool).map(simplify);
  return names.filter((name) => !known.some((member) => isSimilar(simplify(name), member)));
}

/** Lists the names of the members of a tool, also of its nested objects. */
function listMemberNames(tool: Tool): readonly string[] {
  const names: string[] = [];
  JSON.stringify(readInputSchema(tool), (keyword, value: unknown) => {
    if (keyword === 'properties') names.push(...Object.keys(Object(value) as object));
    return value;
  });
  return names;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Minimum length of the shorter name if it is the beginning of the longer name, in characters. */
const MIN_PREFIX_CHARS = 4;

/** Returns true if two names are equal but for one character, or if one name is the beginning of the other. */
function isSimilar(name: string, member: string): boolean {
  const [shorter = '', longer = ''] = [name, member].toSorted((a, b) => a.length - b.length);
  if (shorter.length >= MIN_PREFIX_CHARS && longer.startsWith(shorter)) return true;
  const start = [...shorter].findIndex((character, at) => character !== longer[at]);
  const same = start === -1 ? shorter.length : start;
  const skipped = longer.slice(same + 1);
  return skipped === shorter.slice(same) || skipped === shorter.slice(same + 1);
}
