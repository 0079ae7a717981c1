import { readListing, type ChallengeContext, type ChallengeResponse } from '@touchstone/x402';
import { z } from 'zod';

/** A time with its zone, or a date, which means its first moment in UTC. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

const text = z.union([z.string(), z.number().transform(String)]);
const time = z
  .string()
  .refine((value) => ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)))
  .transform((value) => Date.parse(value))
  .nullish();
const timeError = 'must be an ISO 8601 time with its zone, such as "2026-07-01T12:00:00Z"';

/** What a member of a saved answer must be, for people to mend it. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['url', 'must be the URL that was asked'],
  ['method', 'must be the method of the request, such as "GET", or null'],
  ['status', 'must be a whole number from 100 to 999'],
  [
    'headers',
    'must be an object of names and values ({} for none) or a list of [name, value] pairs or {name, value} objects',
  ],
  ['body', 'must be the text of the body, a JSON object in its place, or null'],
  ['bodyTruncated', 'must be true where the end of the body is missing, else false'],
  ['at', timeError],
  ['capturedAt', timeError],
]);

/** A header field as HTTP archives write it. */
const HarHeader = z
  .looseObject({ name: z.string(), value: text })
  .transform(({ name, value }): [string, string] => [name, value]);

const SavedAnswer = z.object({
  url: z.string().trim().min(1),
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/)
    .nullish(),
  status: z.number().int().min(100).max(999),
  headers: z.union([
    z.record(z.string(), z.union([text, z.array(text)])),
    z.array(z.union([z.tuple([z.string(), text]), HarHeader])),
  ]),
  body: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]).nullish(),
  bodyTruncated: z.boolean().nullish(),
  at: time,
  capturedAt: time,
  listing: z.unknown().optional(),
});

/** A saved answer to judge, or all that has to be changed before it can be. */
export type Saved =
  | { readonly ok: true; readonly response: ChallengeResponse; readonly context: ChallengeContext }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads one saved answer: `{url, method, status, headers, body}`, with `at` (or `capturedAt`) and `listing`, an item of
 * a directory, where they are known. Other members are passed over.
 */
export function readSaved(json: unknown): Saved {
  if (Array.isArray(json)) return { ok: false, fault: 'it is a list: put each answer on a line of its own' };
  const parsed = SavedAnswer.safeParse(json);
  if (!parsed.success) return { ok: false, fault: faultsOf(parsed.error) };
  const { url, method, status, headers, body, bodyTruncated, at, capturedAt, listing } = parsed.data;
  const item = listing === undefined || listing === null ? null : readListing(listing);
  if (item?.ok === false) return { ok: false, fault: `"listing" cannot be read: ${item.reason}` };
  const bodyText = textOf(body);
  if (bodyText === undefined) return { ok: false, fault: '"body" is nested too deep: give it as text' };
  return {
    ok: true,
    response: {
      url,
      method: method?.toUpperCase() ?? null,
      status,
      headers: pairsOf(headers),
      body: bodyText,
      ...(bodyTruncated === true ? { bodyTruncated } : {}),
    },
    context: { at: at ?? capturedAt ?? undefined, listing: item?.listing },
  };
}

function faultsOf({ issues }: z.ZodError): string {
  const members = new Set(issues.map(({ path }) => String(path[0] ?? '')));
  return [...members]
    .map((member) =>
      member === '' ? 'it must be a JSON object' : `"${member}" ${NEEDED.get(member) ?? 'is wrong'}`,
    )
    .join('; ');
}

function pairsOf(headers: z.infer<typeof SavedAnswer>['headers']): ChallengeResponse['headers'] {
  if (Array.isArray(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
}

/** Undefined when it cannot be written as text. */
function textOf(body: z.infer<typeof SavedAnswer>['body']): string | null | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? null;
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
