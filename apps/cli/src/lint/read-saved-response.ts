import type { BodyEnd } from '@touchstone/common';
import { type ChallengeContext, type ChallengeResponse, readListing } from '@touchstone/x402';
import { quoteNames } from '@touchstone/x402/json';
import { z } from 'zod';

/** ISO 8601 time with a time zone, or ISO 8601 date, which means midnight UTC. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

const textSchema = z.union([z.string(), z.number().transform(String)]);
const timeSchema = z
  .string()
  .refine((value) => ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)))
  .transform((value) => Date.parse(value))
  .nullish();
const TIME_EXPECTATION = 'must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z"';

const BODY_ENDS = [
  'complete',
  'size-limit',
  'too-long',
  'deadline',
  'closed',
  'undecodable',
] as const satisfies readonly BodyEnd[];

/** Expected values of the members of a saved response, for error messages. */
const EXPECTATIONS: ReadonlyMap<string, string> = new Map([
  ['url', 'must be the requested URL'],
  ['method', 'must be the method of the request, such as "GET", or null'],
  ['status', 'must be a whole number from 100 to 999'],
  [
    'headers',
    'must be an object of names and values, a list of [name, value] pairs or a list of {name, value} objects; {} for none',
  ],
  ['body', 'must be the body as text, a JSON object or list, or null'],
  ['bodyTruncated', 'must be true when the end of the body is missing, otherwise false'],
  ['bodyEnd', `must be one of ${BODY_ENDS.join(', ')}`],
  ['redirects', 'must be a list of {status, url} objects with absolute URLs'],
  ['interimStatuses', 'must be a list of whole numbers from 100 to 199'],
  ['at', TIME_EXPECTATION],
  ['capturedAt', TIME_EXPECTATION],
]);

/** A header field in the format of HTTP archives (HAR). */
const harHeaderSchema = z
  .looseObject({ name: z.string(), value: textSchema })
  .transform(({ name, value }): [string, string] => [name, value]);

/** Schema of the members that contain the response. A line is rejected if one of these members is invalid. */
const responseSchema = z.object({
  url: z.string().trim().min(1),
  status: z.number().int().min(100).max(999),
  headers: z.union([
    z.record(z.string(), z.union([textSchema, z.array(textSchema)])),
    z.array(z.union([z.tuple([z.string(), textSchema]), harHeaderSchema])),
  ]),
  body: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]).nullish(),
});

/** Schema of the members with additional facts. An invalid member is ignored, with a remark. */
const factsSchema = z.object({
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/)
    .nullish(),
  bodyTruncated: z.boolean().nullish(),
  bodyEnd: z.enum(BODY_ENDS).nullish(),
  redirects: z.array(z.object({ status: z.number().int(), url: z.url() })).nullish(),
  interimStatuses: z.array(z.number().int().min(100).max(199)).nullish(),
  at: timeSchema,
  capturedAt: timeSchema,
  listing: z.unknown().optional(),
});

const MEMBERS = new Set([...Object.keys(responseSchema.shape), ...Object.keys(factsSchema.shape)]);
/** A parsed saved response, or a description of all mistakes in it. */
export type SavedResponse =
  | {
      readonly ok: true;
      readonly response: ChallengeResponse;
      readonly context: ChallengeContext;
      /** One sentence for each invalid member that was ignored, and one sentence that names the unknown members. */
      readonly remarks: readonly string[];
    }
  | { readonly ok: false; readonly fault: string };

/**
 * Parses one saved response: `{url, method, status, headers, body}`, optionally with `at` (or `capturedAt`) and with
 * `listing`, the item about the endpoint in a public directory of endpoints. Only `url`, `status` and `headers` are
 * required. Unknown members, and invalid optional members except `body`, are ignored with a remark.
 */
export function readSavedResponse(json: unknown): SavedResponse {
  if (Array.isArray(json))
    return { ok: false, fault: 'this is a list; put each response on a separate line' };
  const parsed = responseSchema.safeParse(json);
  if (!parsed.success) return { ok: false, fault: listFaults(parsed.error).join('; ') };
  const { url, status, headers, body } = parsed.data;
  const bodyText = toBodyText(body);
  if (bodyText === undefined) return { ok: false, fault: '"body" is nested too deeply; write it as text' };
  // `responseSchema` accepts only objects.
  const { facts, remarks } = readFacts(json as Readonly<Record<string, unknown>>);
  const { method, bodyTruncated, redirects, interimStatuses, at, capturedAt, listing } = facts;
  const bodyEnd = facts.bodyEnd ?? (bodyTruncated === true ? 'size-limit' : 'complete');
  return {
    ok: true,
    response: {
      url,
      method: method?.toUpperCase() ?? null,
      status,
      headers: toHeaderList(headers),
      body: bodyText,
      bodyEnd,
      redirects: redirects ?? [],
      interimStatuses: interimStatuses ?? [],
    },
    context: { receivedAt: at ?? capturedAt ?? undefined, listing },
    remarks,
  };
}

interface Facts extends Omit<z.infer<typeof factsSchema>, 'listing'> {
  readonly listing: ChallengeContext['listing'];
}

/** Reads the additional facts. Ignores invalid and unknown members, with a remark on each ignored member. */
function readFacts(json: Readonly<Record<string, unknown>>): { facts: Facts; remarks: string[] } {
  const parsed = factsSchema.safeParse(json);
  const invalid = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
  const facts =
    parsed.data ??
    factsSchema.parse(Object.fromEntries(Object.entries(json).filter(([name]) => !invalid.has(name))));
  const unknown = Object.keys(json).filter((name) => !MEMBERS.has(name));
  const item = facts.listing === undefined || facts.listing === null ? null : readListing(facts.listing);
  return {
    facts: { ...facts, listing: item?.ok === true ? item.listing : undefined },
    remarks: [
      ...(parsed.success ? [] : listFaults(parsed.error).map((fault) => `${fault}. It is ignored.`)),
      ...(item?.ok === false ? [`"listing" cannot be read: ${item.reason}. It is ignored.`] : []),
      ...(unknown.length === 0
        ? []
        : [`The saved response has unknown members, which are ignored: ${quoteNames(unknown)}.`]),
    ],
  };
}

function listFaults({ issues }: z.ZodError): string[] {
  const members = new Set(issues.map(({ path }) => String(path[0] ?? '')));
  return [...members].map((member) =>
    member === '' ? 'must be a JSON object' : `"${member}" ${EXPECTATIONS.get(member) ?? 'is invalid'}`,
  );
}

function toHeaderList(headers: z.infer<typeof responseSchema>['headers']): ChallengeResponse['headers'] {
  if (Array.isArray(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => [name, text] as const),
  );
}

/** Returns the body as text; undefined for a body that is nested too deeply to be serialized. */
function toBodyText(body: z.infer<typeof responseSchema>['body']): string | null | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? null;
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
