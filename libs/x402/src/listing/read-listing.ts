import { z } from 'zod';
import { readBazaar } from '../challenge/bazaar-extension.ts';
import { findDeclaredMethod, readDiscovery } from '../challenge/discovery.ts';
import { readEntries, type Entry } from '../challenge/accepts-entry.ts';
import { readOptions, readVersion } from '../challenge/envelope.ts';
import { cleanText } from '../json/clean-text.ts';
import type { Discovery, PaymentOption } from '../types.ts';

const RESOURCE_LIMIT = 4_096;
const DESCRIPTION_LIMIT = 2_000;
const NAME_LIMIT = 200;
const PATH_PARAMS_LIMIT = 16;
/** A Unix time below this is in seconds (until the year 5138), from here on in milliseconds (since 1973). */
const MILLISECONDS_FROM = 1e11;
const LAST_DATE = 8.64e15;
/** Time stamps without a zone would be read in the zone of whoever reads them; they say nothing certain. */
const ZONED_TIME = /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:?\d\d)$/i;

const Example = z.object({
  bazaar: z.object({
    info: z.object({ input: z.object({ pathParams: z.record(z.string(), z.unknown()) }) }),
  }),
});
const Described = z.object({ description: z.string() });

const Item = z.object({
  resource: z.unknown().optional(),
  // The name some directories use for resource.
  url: z.unknown().optional(),
  type: z.unknown().optional(),
  x402Version: z.unknown().optional(),
  accepts: z.unknown().optional(),
  description: z.unknown().optional(),
  serviceName: z.unknown().optional(),
  lastUpdated: z.unknown().optional(),
  metadata: z.unknown().optional(),
  extensions: z.unknown().optional(),
});

/** One item of a directory, in version-independent terms. Everything in it is the seller's claim. */
export interface Listing {
  /** As advertised; it may be a template, of any scheme, or no URL at all. */
  readonly resource: string;
  /** `http` or `mcp`; some sellers write other words. */
  readonly type: string | null;
  readonly version: 1 | 2 | null;
  /** Empty where the item offers none. */
  readonly options: readonly PaymentOption[];
  readonly description: string | null;
  readonly serviceName: string | null;
  /** Declared HTTP method in capitals; null when none or none of HTTP's is declared. */
  readonly method: string | null;
  readonly discovery: Discovery | null;
  /** Example values for the placeholders of a templated resource, by name; empty where the item gives none. */
  readonly pathParams: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly lastUpdated: number | null;
}

export type ListingResult =
  { readonly ok: true; readonly listing: Listing } | { readonly ok: false; readonly reason: string };

/**
 * Reads one item of a discovery directory. Tolerant of missing, fused and mistyped members, which are null or
 * absent in the listing; never throws.
 *
 * @param item one element of a directory's `items`, parsed from JSON
 * @returns the listing, or the reason why it cannot be one: it is no object, or names no resource
 */
export function readListing(item: unknown): ListingResult {
  const parsed = Item.safeParse(item);
  if (!parsed.success) return { ok: false, reason: 'the item is not a JSON object' };
  const fields = parsed.data;
  const resource = readResource(fields.resource ?? fields.url);
  if (!resource.ok) return resource;
  const entries = readEntries(fields.accepts);
  const version = readVersion(fields.x402Version);
  const bazaar = readBazaar(fields.extensions);
  return {
    ok: true,
    listing: {
      resource: resource.text,
      type: cleanText(fields.type, NAME_LIMIT),
      version,
      options: readOptions(entries, version),
      description: readDescription(fields, entries),
      serviceName: cleanText(fields.serviceName, NAME_LIMIT),
      method: findDeclaredMethod(bazaar, entries),
      discovery: readDiscovery(bazaar, entries),
      pathParams: readPathParams(fields.extensions),
      lastUpdated: readTime(fields.lastUpdated),
    },
  };
}

type Resource =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

function readResource(value: unknown): Resource {
  if (value === undefined || value === null) return { ok: false, reason: 'the item has no resource' };
  if (typeof value !== 'string') return { ok: false, reason: 'the resource is not a string' };
  if (value.length > RESOURCE_LIMIT)
    return { ok: false, reason: 'the resource is longer than 4096 characters' };
  const text = cleanText(value, RESOURCE_LIMIT);
  return text === null ? { ok: false, reason: 'the resource is empty' } : { ok: true, text };
}

/** The item's own words first, then the first option that has any, then the older metadata. */
function readDescription(
  { description, metadata }: z.infer<typeof Item>,
  entries: readonly (Entry | null)[],
): string | null {
  const candidates = [
    description,
    ...entries.map((entry) => entry?.fields.description),
    Described.safeParse(metadata).data?.description,
  ];
  for (const candidate of candidates) {
    const text = cleanText(candidate, DESCRIPTION_LIMIT);
    if (text !== null) return text;
  }
  return null;
}

function readPathParams(extensions: unknown): ReadonlyMap<string, string> {
  const declared = Example.safeParse(extensions).data?.bazaar.info.input.pathParams ?? {};
  const examples = Object.entries(declared).flatMap(([name, value]) => {
    const text = cleanText(typeof value === 'number' ? String(value) : value, NAME_LIMIT);
    return text === null ? [] : [[name, text] as const];
  });
  return new Map(examples.slice(0, PATH_PARAMS_LIMIT));
}

function readTime(value: unknown): number | null {
  if (typeof value === 'string') return ZONED_TIME.test(value) ? validTime(Date.parse(value)) : null;
  if (typeof value !== 'number') return null;
  return validTime(value < MILLISECONDS_FROM ? value * 1_000 : value);
}

function validTime(milliseconds: number): number | null {
  return milliseconds >= 0 && milliseconds <= LAST_DATE ? Math.trunc(milliseconds) : null;
}
