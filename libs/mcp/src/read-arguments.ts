import { hasMoreValues, parseJson } from '@touchstone/common';
import { MAX_BODY_VALUES, type Tool } from '@touchstone/contract';
import { getInputSchema, type Members } from './tool-schemas.ts';

type Parsed = ReturnType<Tool['input']['safeParse']>;
type Issue = NonNullable<Parsed['error']>['issues'][number];

interface ReadArguments {
  readonly parsed: Parsed;
  readonly members: Members;
}

/**
 * Members that clients add to the arguments of every tool, by public reports: n8n adds the first five
 * (n8n-io/n8n#21500 and #37308), and Cline adds `task_progress` (cline/cline#9684). `_meta` is the metadata of MCP. No
 * tool has a member with such a name.
 */
const CLIENT_MEMBERS: ReadonlySet<string> = new Set([
  'toolCallId',
  'sessionId',
  'action',
  'chatInput',
  'tool',
  'task_progress',
  '_meta',
]);

/**
 * Validates the arguments of a call. Arguments whose meaning is clear are accepted as well, because many clients send
 * them: null, `"null"` or empty text for an absent member, and a number or JSON as text (`"5"` for 5). The request is
 * created from the understood arguments, so a payment is bound to the understood arguments.
 *
 * Only the members that clients add by themselves are ignored. Without a misspelled argument, a tool would respond to
 * another request than the agent meant.
 */
export function readArguments(tool: Tool, received: Members): ReadArguments {
  // The arguments come from JSON, so a copy through JSON is equal.
  const members = JSON.parse(JSON.stringify(received)) as Record<string, unknown>;
  const schema = readInputSchema(tool);
  for (const name of listAbsent(schema, members)) Reflect.deleteProperty(members, name);
  for (const [name, { default: value }] of Object.entries(schema.properties)) {
    if (value !== undefined) members[name] ??= value;
  }
  for (;;) {
    const parsed = tool.input.safeParse(members);
    // Each repair leaves one null, text or member less, so the number of repairs is limited.
    const isRepaired = parsed.error?.issues.map((issue) => repair(members, issue)).includes(true);
    if (isRepaired !== true) return { parsed, members };
  }
}

/** Repairs the value of an issue if its meaning is clear. Returns false if nothing changed. */
function repair(members: Record<string, unknown>, issue: Issue): boolean {
  const { code, path } = issue;
  if (code === 'unrecognized_keys' && path.length === 0) {
    const ignored = issue.keys.filter((key) => CLIENT_MEMBERS.has(key));
    return ignored.map((key) => Reflect.deleteProperty(members, key)).length > 0;
  }
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

/**
 * Returns the value of a JSON text; undefined for null, for a text, for more values than a body may have, and for a value
 * that is not JSON text.
 */
function readJsonText(text: unknown): unknown {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  const isRefused = value === null || typeof value === 'string' || hasMoreValues(value, MAX_BODY_VALUES);
  return isRefused ? undefined : value;
}

/** Values that clients send for a member without a value. */
const ABSENT_VALUES: ReadonlySet<unknown> = new Set([null, '', 'null', 'None', 'undefined']);

interface InputSchema {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly required?: readonly string[];
}

/** Returns the JSON Schema of the arguments that `tools/list` advertises. */
function readInputSchema(tool: Tool): InputSchema {
  // The input of each tool is the schema of an object.
  return getInputSchema(tool)['~standard'].jsonSchema.input({
    target: 'draft-2020-12',
  }) as unknown as InputSchema;
}

/** Lists the members, optional or unknown, whose value means that they are absent. */
function listAbsent({ required = [] }: InputSchema, members: Members): readonly string[] {
  return Object.keys(members).filter((name) => ABSENT_VALUES.has(members[name]) && !required.includes(name));
}
