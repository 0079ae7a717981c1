import { z } from 'zod';
import type { Parameter, RequestBody } from '../operations/operation-model.ts';
import { createProblem, type Problem } from './problem.ts';
import { formatName, shortenList, summarizeMistakes } from './validation-messages.ts';

/** Operation whose query parameters are read. */
interface ParameterOwner {
  readonly parameters: readonly Parameter[];
  readonly requestBody: Pick<RequestBody, 'schema' | 'example'> | null;
}

/** Returns the query parameters of a URL by name. The value of a repeated parameter is the list of its values. */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const values = Map.groupBy(new URL(url).searchParams, ([name]) => name);
  return Object.fromEntries(
    [...values].map(([name, pairs]) => {
      const [first, ...others] = pairs.map(([, value]) => value);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/**
 * Returns the problem of a URL with query parameters that the operation does not have; null without such parameters. A
 * misspelled option would otherwise have no effect, and the client would pay for another result. An operation without
 * any parameter and body is free and has one result, so its query is ignored, as that of a page.
 */
export function findUnknownParameters(operation: ParameterOwner, url: string): Problem | null {
  const { parameters, requestBody } = operation;
  if (parameters.length === 0 && requestBody === null) return null;
  const parsed = readQuery(url);
  const queried = parameters.filter(({ in: place }) => place === 'query');
  const known = queried.map(({ name }) => name);
  const unknown = Object.keys(parsed).filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  const missing = queried.filter(({ name, required }) => required && !Object.hasOwn(parsed, name));
  const errors = shortenList(unknown, (name) => ({
    path: formatName(name),
    message: isMember(name, requestBody)
      ? describeMember(name, requestBody)
      : describeUnknown(name, known, missing[0]?.name ?? null),
  }));
  return createProblem('invalid-request', summarizeMistakes(errors), { errors });
}

type Body = NonNullable<ParameterOwner['requestBody']>;

function isMember(name: string, body: Body | null): body is Body {
  return body?.schema instanceof z.ZodObject && Object.hasOwn(body.schema.shape, name);
}

/** Maximum length of an example in a message, in characters. */
const MAX_EXAMPLE_CHARS = 100;

/** Explains that a query parameter is a member of the body, with an example if it is short. */
function describeMember(name: string, { example }: Body): string {
  const text = example[name] === undefined ? '' : JSON.stringify({ [name]: example[name] });
  const shown = text === '' || text.length > MAX_EXAMPLE_CHARS ? '' : `, such as ${text}`;
  return `\`${name}\` is not a query parameter of this request. Send it in the JSON body${shown}.`;
}

/** Query parameters whose value is a URL. If the URL is not percent-encoded, the parameters of the URL follow it. */
const URL_PARAMETERS = ['resource'];

/**
 * Explains that no query parameter has a name.
 *
 * @param missing required parameter that the query lacks; null for none
 */
function describeUnknown(name: string, known: readonly string[], missing: string | null): string {
  const start = `\`${formatName(name)}\` is not a query parameter of this request`;
  if (known.length === 0) return `${start}, which has none. Remove it.`;
  const nearest = findNearest(name, known);
  const listed = known.map((each) => `\`${each}\``).join(', ');
  const advice =
    missing === null
      ? nearest === null
        ? 'Remove it or correct its name.'
        : `Did you mean \`${nearest}\`?`
      : `The required \`${missing}\` is missing. Did you mean \`${missing}\`?`;
  const url = known.find((each) => URL_PARAMETERS.includes(each));
  const encoding = url === undefined ? '' : ` ${formatEncodingHint(url)}`;
  return `${start}. ${advice} Its query parameters are: ${listed}.${encoding}`;
}

function formatEncodingHint(name: string): string {
  return `If the URL in \`${name}\` contains "&", percent-encode the URL.`;
}

/**
 * Returns a hint for a query whose URL parameter may end too early: the URL has a query, and further parameters follow.
 * These parameters may belong to that URL. Returns null for every other query.
 */
export function findEncodingHint(url: string): string | null {
  const parts = new URL(url).search.slice(1).split('&');
  const name = URL_PARAMETERS.find((each) =>
    parts.slice(0, -1).some((part) => part.startsWith(`${each}=`) && part.includes('?')),
  );
  return name === undefined ? null : formatEncodingHint(name);
}

/** Maximum length of a name that is compared with the known names, in UTF-16 code units. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Returns the known name that differs least from another name; null if each known name differs in more than a third of
 * its characters.
 */
function findNearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED_LENGTH) return null;
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: countEdits(simplify(name), simplify(candidate)) }))
    .filter(({ candidate, distance }) => distance <= candidate.length / 3)
    .sort((one, other) => one.distance - other.distance);
  return nearest?.candidate ?? null;
}

/** Returns a name in lower case and without separators, so that `pay_to` equals `payTo`. */
const simplify = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/** Returns the smallest number of inserted, deleted and replaced characters between two texts (Levenshtein distance). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, character] of [...one].entries()) {
    const next = [line + 1];
    for (let index = 1; index < row.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (character === other[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
