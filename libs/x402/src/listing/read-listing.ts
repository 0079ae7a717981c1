import { isJsonObject, MAX_RESOURCE_CHARS } from '@touchstone/common';
import { findDeclaredMethod, readBazaar } from '../challenge/bazaar-extension.ts';
import { readEntries, type Entry, readOptions, readVersion } from '../challenge/envelope.ts';
import { cleanText, readMember } from '../json/untrusted-json.ts';
import type { PaymentOption } from '../types.ts';
import { type ExampleRequest, readExampleRequest } from './example-request.ts';
import { readTags } from './tags.ts';

const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;
const MAX_PATH_PARAMS = 16;
/**
 * Smallest number that is a timestamp in milliseconds: March 1973. Smaller numbers are timestamps in seconds, because
 * no directory has items from before 1973.
 */
const MIN_MILLISECONDS_TIMESTAMP = 1e11;
/** Largest timestamp of a JavaScript date, in milliseconds. */
const MAX_TIMESTAMP = 8.64e15;
/**
 * Pattern of a timestamp with a time zone. A timestamp without a zone is ambiguous, because JavaScript would assume the
 * local zone.
 */
const ZONED_TIME = /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:?\d\d)$/i;

/**
 * One item of a discovery directory, in the same form for both protocol versions. All values are unverified claims of
 * the seller.
 */
export interface Listing {
  /** Resource as advertised: a URL of any scheme, a URL template, or other text. */
  readonly resource: string;
  /** Resource type: `http` or `mcp`; some sellers use other values. */
  readonly type: string | null;
  readonly version: 1 | 2 | null;
  /** Payment options; empty when the item has none. */
  readonly options: readonly PaymentOption[];
  readonly description: string | null;
  readonly serviceName: string | null;
  /** At most eight tags in lower case, of at most 32 characters each. */
  readonly tags: readonly string[];
  /** Declared HTTP method in capitals; null when the seller declares no known method. */
  readonly method: string | null;
  /** Example of a request; null when the seller declares none. */
  readonly exampleRequest: ExampleRequest | null;
  /** Example values for the placeholders of a URL template, by placeholder name; empty when the item has none. */
  readonly pathParams: ReadonlyMap<string, string>;
  /** Time of the last update, in milliseconds since the epoch; null when it is missing or invalid. */
  readonly lastUpdated: number | null;
}

export type ListingResult =
  | { readonly ok: true; readonly listing: Listing }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads one item of a discovery directory. Never throws. A member that is missing or has the wrong type becomes null or
 * empty. The item may mix the member names of both protocol versions.
 *
 * @param item one element of a directory's `items`, parsed from JSON
 * @returns the listing; or the reason for rejection, when the item is not an object or has no usable resource
 */
export function readListing(item: unknown): ListingResult {
  if (!isJsonObject(item)) return { ok: false, reason: 'the item is not a JSON object' };
  const read = (name: string): unknown => readMember(item, name);
  // Some discovery directories use `url` as the name of `resource`.
  const resource = readResource(read('resource') ?? read('url'));
  if (!resource.ok) return resource;
  const entries = readEntries(read('accepts'));
  const version = readVersion(read('x402Version'));
  const bazaar = readBazaar(read('extensions'));
  return {
    ok: true,
    listing: {
      resource: resource.text,
      type: cleanText(read('type'), MAX_NAME_LENGTH),
      version,
      options: readOptions(entries, version),
      description: readDescription(item, entries),
      serviceName: cleanText(read('serviceName'), MAX_NAME_LENGTH),
      tags: readTags([item, ...entries]),
      method: findDeclaredMethod(bazaar, entries),
      exampleRequest: readExampleRequest(bazaar),
      pathParams: readPathParams(read('extensions')),
      lastUpdated: readTime(read('lastUpdated')),
    },
  };
}

type Resource =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

function readResource(value: unknown): Resource {
  if (value === undefined || value === null) return { ok: false, reason: 'the item has no resource' };
  if (typeof value !== 'string') return { ok: false, reason: 'the resource is not a string' };
  if (value.length > MAX_RESOURCE_CHARS)
    return { ok: false, reason: `the resource is longer than ${String(MAX_RESOURCE_CHARS)} characters` };
  const text = cleanText(value, MAX_RESOURCE_CHARS);
  return text === null ? { ok: false, reason: 'the resource is empty' } : { ok: true, text };
}

/**
 * Returns the description of the item. If the item has none, returns the description of an option, or else the
 * description in `metadata`, an older member.
 */
function readDescription(item: object, entries: readonly (Entry | null)[]): string | null {
  const candidates = [
    readMember(item, 'description'),
    ...entries.map((entry) => entry?.description),
    readMember(readMember(item, 'metadata'), 'description'),
  ];
  for (const candidate of candidates) {
    const text = cleanText(candidate, MAX_DESCRIPTION_LENGTH);
    if (text !== null) return text;
  }
  return null;
}

function readPathParams(extensions: unknown): ReadonlyMap<string, string> {
  const path = ['bazaar', 'info', 'input', 'pathParams'];
  const declared = path.reduce<unknown>(readMember, extensions);
  const examples = Object.entries(isJsonObject(declared) ? declared : {}).flatMap(
    ([name, value]: [string, unknown]) => {
      const text = cleanText(typeof value === 'number' ? String(value) : value, MAX_NAME_LENGTH);
      return text === null ? [] : [[name, text] as const];
    },
  );
  return new Map(examples.slice(0, MAX_PATH_PARAMS));
}

function readTime(value: unknown): number | null {
  if (typeof value === 'string') return ZONED_TIME.test(value) ? toTimestamp(Date.parse(value)) : null;
  if (typeof value !== 'number') return null;
  return toTimestamp(value < MIN_MILLISECONDS_TIMESTAMP ? value * 1_000 : value);
}

function toTimestamp(milliseconds: number): number | null {
  return milliseconds >= 0 && milliseconds <= MAX_TIMESTAMP ? Math.trunc(milliseconds) : null;
}
