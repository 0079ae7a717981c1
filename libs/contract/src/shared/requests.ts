import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { z } from 'zod';

/**
 * Schemas of requests. Unknown fields are refused, so that nobody pays for a request with a misspelled option;
 * `findUnknownParameters` refuses unknown query parameters. Custom messages begin with "must be", because
 * `validation-messages.ts` puts the field name before the message.
 */

/** Maximum length of a request body, in bytes (64 KiB). */
export const MAX_BODY_BYTES = 65_536;

/** Maximum number of values in a request body: list elements and members at any depth. A bulk request has about 500. */
export const MAX_BODY_VALUES = 1_000;

/**
 * Visible characters of the Basic Multilingual Plane. Control characters (Cc), format characters (Cf), white space (Z),
 * other default-ignorable code points and lone surrogates are excluded. The ranges contain literal characters, because
 * some languages that read the published schemas support neither `\p{Cf}` nor `\u200b` in a pattern.
 */
const VISIBLE = [
  '!-~\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u0606-\u061b\u061d-\u06dc\u06de-\u070e',
  '\u0710-\u088f\u0892-\u08e1\u08e3-\u115e\u1161-\u167f\u1681-\u17b3\u17b6-\u180a',
  '\u1810-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7ff',
  '\ue000-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc-\ufffd',
].join('');

/**
 * Pattern of an endpoint's URL in a request. A URL with invisible characters is refused: the URL names a different
 * resource, but looks like the URL without these characters. Clients can percent-encode such characters, and characters
 * outside the Basic Multilingual Plane. Spaces inside the URL are allowed.
 */
const RESOURCE_PATTERN = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?:[/]{2}[${VISIBLE} ]*[${VISIBLE}]$`);

const RESOURCE_EXPECTATION =
  'must be the full URL of the endpoint, such as https://api.example.com/v1/weather';
const VISIBLE_EXPECTATION =
  'must be a URL without emoji, invisible characters or surrounding spaces (percent-encode them)';

/**
 * Returns the error message for a URL that does not match the pattern. A URL with a host fails only because of a
 * character that is not allowed.
 */
function explainResource({ input }: { readonly input?: unknown }): string {
  const hasHost = typeof input === 'string' && /^\s*https?:\/\/[^\s/]/i.test(input);
  return hasHost ? VISIBLE_EXPECTATION : RESOURCE_EXPECTATION;
}

/** Schema of the URL of an endpoint in a request. */
export const requestedResource = z
  .string({ error: RESOURCE_EXPECTATION })
  .max(MAX_RESOURCE_CHARS, { error: `must be at most ${String(MAX_RESOURCE_CHARS)} characters long` })
  .regex(RESOURCE_PATTERN, { error: explainResource })
  .describe('Full URL of the endpoint, as directories list it.')
  .meta({ examples: ['https://api.example.com/v1/weather'] });

/** Creates the schema of a whole number in a request. */
export function createWholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/**
 * Creates the schema of an optional query parameter with one value.
 *
 * @param absent result of a request without the parameter, for the error message
 */
export function createOption<Value extends string>(value: Value, absent: string) {
  return z.literal(value, { error: `must be "${value}", or left out for ${absent}` }).exactOptional();
}

/** Creates the schema of a complete request. The schema merges the body and the query parameters into one input. */
export function createInputSchema<Body extends object, Query extends object>(
  body: z.ZodType<Body>,
  query: z.ZodType<Query>,
) {
  return z
    .object({ body, query })
    .transform((request): Body & Query => ({ ...request.body, ...request.query }));
}

/** Schema of the query parameters for an operation that has no query parameters. */
export const noParameters = z.object({});

/** Returns the number of characters of a text as JSON Schema counts them: in code points, not in UTF-16 code units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
