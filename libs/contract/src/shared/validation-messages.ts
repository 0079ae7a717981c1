import type { z } from 'zod';
import { createProblem, MAX_LISTED_MISTAKES, type Problem } from './problem.ts';

type Issue = z.core.$ZodIssue;
type SizeIssue = Extract<Issue, { code: 'too_big' | 'too_small' }>;

const MAX_NAMES = 5;
/** Maximum length of a quoted value or field name in a message, in code points. */
const MAX_QUOTED_LENGTH = 60;

/**
 * First words of the messages that our request schemas define, such as "must be a whole number from 1 to 90". All other
 * messages are from zod and not written for API users, so they are replaced.
 */
const OWN_MESSAGE = 'must be ';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
  null: 'null',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  url: 'a URL',
  email: 'an email address',
  uuid: 'a UUID',
  date: 'a date such as 2026-06-01',
  datetime: 'an ISO 8601 time in UTC',
};

/**
 * Pattern of invisible characters: white space other than a space, control characters, and characters without a glyph.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Quotes untrusted text: shortens it and escapes its invisible characters. */
function quoteText(text: string): string {
  // A code point has at most two code units, so the rest of a long text is not split.
  const characters = [...text.slice(0, 2 * (MAX_QUOTED_LENGTH + 1))];
  const shown = characters.slice(0, MAX_QUOTED_LENGTH).join('');
  const escaped = shown.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return characters.length > MAX_QUOTED_LENGTH ? `${escaped}…` : escaped;
}

function formatReceived(value: unknown): string {
  if (typeof value === 'string') {
    const quoted = `"${quoteText(value)}"`;
    return value.length > MAX_QUOTED_LENGTH ? `${quoted} (${String(value.length)} characters)` : quoted;
  }
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1 item' : `a list of ${String(value.length)} items`;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  // The remaining JSON types: numbers, booleans and null.
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return 'nothing';
}

/** Formats an untrusted name for a message between backticks. */
export function formatName(name: PropertyKey): string {
  return quoteText(String(name)).replaceAll('`', "'");
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map(formatName).join('.');
}

function readAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[name]
        : undefined,
    body,
  );
}

function joinAlternatives(alternatives: readonly string[]): string {
  const distinct = [...new Set(alternatives)];
  const last = distinct.at(-1) ?? 'a valid value';
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(', ')} or ${last}`;
}

function describeSize(issue: SizeIssue): string {
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  const size = `${issue.code === 'too_big' ? 'at most' : 'at least'} ${String(limit)}`;
  const exactSize = issue.exact === true ? `exactly ${String(limit)}` : size;
  switch (issue.origin) {
    case 'string':
      return `${exactSize} characters long`;
    case 'array':
      return `a list of ${exactSize} items`;
    case 'number':
    case 'int':
      if (issue.inclusive !== false) return exactSize;
      return `${issue.code === 'too_big' ? 'less' : 'more'} than ${String(limit)}`;
    default:
      return `of a size of ${exactSize}`;
  }
}

/** Describes the expected value as a phrase that follows "must be". */
function describeExpectation(issue: Issue): string {
  if (issue.message.startsWith(OWN_MESSAGE)) return issue.message.slice(OWN_MESSAGE.length);
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? 'a value of another type';
    case 'too_big':
    case 'too_small':
      return describeSize(issue);
    case 'invalid_format':
      return FORMAT_NAMES[issue.format] ?? 'a string in the documented format';
    case 'not_multiple_of':
      return `a multiple of ${String(issue.divisor)}`;
    case 'invalid_value':
      return joinAlternatives(issue.values.map((value) => formatReceived(value)));
    case 'invalid_union':
      return joinAlternatives(issue.errors.flatMap(([first]) => (first ? [describeExpectation(first)] : [])));
    case 'invalid_key':
      return 'an object with valid field names';
    case 'invalid_element':
      return 'a list of valid items';
    case 'unrecognized_keys':
      return 'an object of known fields';
    case 'custom':
      return 'a valid value';
  }
}

function describeUnknownFields(names: readonly string[], parent: string): string {
  const listed = names.slice(0, MAX_NAMES).map((name) => `\`${formatName(name)}\``);
  const rest = names.length > MAX_NAMES ? ` and ${String(names.length - MAX_NAMES)} more` : '';
  return names.length === 1
    ? `${listed.join()} is not a field of ${parent}. Remove it or correct its name.`
    : `${listed.join(', ')}${rest} are not fields of ${parent}. Remove them or correct their names.`;
}

/**
 * Formats a zod issue as a sentence for API users, with the field, the expected value and the received value. Received
 * values and field names are untrusted, so they are shortened and their invisible characters are escaped.
 *
 * @param whole the value that was validated
 * @param wholeName name of this value, for a mistake that concerns the whole value
 * @example "`days` must be a whole number from 1 to 90; received 120."
 */
export function formatIssue(issue: Issue, whole: unknown, wholeName = 'request body'): string {
  const path = formatPath(issue.path);
  const name = path === '' ? `The ${wholeName}` : `\`${path}\``;
  if (issue.code === 'unrecognized_keys') {
    return describeUnknownFields(issue.keys, path === '' ? `the ${wholeName}` : name);
  }
  const expectation = describeExpectation(issue);
  const value = readAt(whole, issue.path);
  if (value === undefined && path !== '') return `${name} is missing. Send ${expectation}.`;
  return `${name} must be ${expectation}; received ${isSecret(issue) ? formatSecret(value) : formatReceived(value)}.`;
}

/** Returns true for an issue whose schema declares the value to be a secret, with `params: { isSecret: true }`. */
function isSecret(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.['isSecret'] === true;
}

function formatSecret(value: unknown): string {
  return typeof value === 'string' ? `a value of ${String(value.length)} characters` : formatReceived(value);
}

/** One mistake in a request: the path of the member, and a sentence with the expected and the received value. */
export type Mistake = NonNullable<Problem['errors']>[number];

/**
 * Lists the mistakes of a value, at most `MAX_LISTED_MISTAKES`. If there are more mistakes, the last entry states their
 * number.
 *
 * @param whole the value that was validated
 * @param wholeName name of this value, for a mistake that concerns the whole value
 */
export function listMistakes(issues: readonly Issue[], whole: unknown, wholeName?: string): Mistake[] {
  return shortenList(issues, (issue) => ({
    path: formatPath(issue.path),
    message: formatIssue(issue, whole, wholeName),
  }));
}

/** Describes the first issues, and adds an entry with the number of the other issues, if there are any. */
export function shortenList<Item>(issues: readonly Item[], describe: (issue: Item) => Mistake): Mistake[] {
  const listed = issues.slice(0, MAX_LISTED_MISTAKES).map((issue) => describe(issue));
  const rest = issues.length - listed.length;
  if (rest === 0) return listed;
  return [
    ...listed,
    { path: '', message: `${rest} more ${rest === 1 ? 'mistake is' : 'mistakes are'} not listed.` },
  ];
}

/** Returns the first mistake as a sentence. If there are several mistakes, the sentence refers to `errors`. */
export function summarizeMistakes(mistakes: readonly Mistake[]): string {
  const [first] = mistakes;
  const more = mistakes.length > 1 ? ' `errors` lists the mistakes.' : '';
  return `${first?.message ?? 'The request is not valid.'}${more}`;
}

export interface RequestParts {
  readonly body: unknown;
  readonly query: unknown;
  /** Values of the variable parts of the path; absent if the path is not validated. */
  readonly params?: unknown;
}

/**
 * Creates the error body for a request that does not match its schema. Each error path begins in the body, in the query
 * or in the path parameters, and does not name this part.
 */
export function createValidationProblem(error: z.core.$ZodError, request: RequestParts): Problem {
  const errors = shortenList(error.issues, (issue) => {
    const [part, ...path] = issue.path;
    const whole = part === 'query' || part === 'params' ? request[part] : request.body;
    return { path: formatPath(path), message: formatIssue({ ...issue, path }, whole) };
  });
  return createProblem('invalid-request', summarizeMistakes(errors), { errors });
}

/**
 * Creates the error body for a request body with a member that occurs twice. Of the two values, some programs read the
 * first and others the last, so the client could pay for another request than it shows.
 *
 * @param member path of the member in the body
 */
export function createDuplicateProblem(member: readonly (string | number)[]): Problem {
  const path = formatName(member.join('.'));
  const message = `\`${path}\` occurs twice in the request body, and programs differ in which value they read. Send it once.`;
  return createProblem('invalid-request', message, { errors: [{ path, message }] });
}
