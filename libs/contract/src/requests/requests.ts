import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { z } from 'zod';
import { RESOURCE_PATTERN } from './resource-pattern.ts';

/**
 * Schemas of request bodies. Unknown fields are refused, so that nobody pays for a request with a misspelled option.
 * Custom messages begin with "must be", because `validation-messages.ts` puts the field name before them.
 */

/** Maximum length of a request body, in bytes (64 KiB). */
export const MAX_BODY_BYTES = 65_536;

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

const DEFAULT_HISTORY_DAYS = 30;

export const trustRequestSchema = z.strictObject({ resource: requestedResource });

export const historyRequestSchema = z.strictObject({
  resource: requestedResource,
  days: createWholeNumber(1, 90)
    .default(DEFAULT_HISTORY_DAYS)
    .describe('Number of days of history, up to now.')
    .meta({ examples: [DEFAULT_HISTORY_DAYS] }),
});

/**
 * Creates the schema of an optional query parameter with one value.
 *
 * @param absent what a request without the parameter gets
 */
function createOption<Value extends string>(value: Value, absent: string) {
  return z.literal(value, { error: `must be "${value}", or left out for ${absent}` }).exactOptional();
}

/**
 * Query parameters of a trust report and of a history. Unknown parameters are ignored, because directories and clients
 * add their own.
 */
export const trustQuerySchema = z.object({ detail: createOption('full', 'the short report') });
export const historyQuerySchema = z.object({ resolution: createOption('daily', 'all probes') });

/** Creates the schema of a complete request, which merges the body and the query parameters into one input. */
export function createInputSchema<Body extends object, Query extends object>(
  body: z.ZodType<Body>,
  query: z.ZodType<Query>,
) {
  return z
    .object({ body, query })
    .transform((request): Body & Query => ({ ...request.body, ...request.query }));
}

export const trustInputSchema = createInputSchema(trustRequestSchema, trustQuerySchema);
export const historyInputSchema = createInputSchema(historyRequestSchema, historyQuerySchema);

/** The preview of a trust report has no parameters, so its body is not read. */
export const previewRequestSchema = z.looseObject({});

/** Body and query parameters of a trust report. Without `detail`, the report is short. */
export type TrustInput = z.infer<typeof trustInputSchema>;
/** Body and query parameters of a history. Without `resolution`, it contains all probes. */
export type HistoryInput = z.infer<typeof historyInputSchema>;
