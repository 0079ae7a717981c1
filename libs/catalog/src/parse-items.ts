import { readListing } from '@touchstone/x402';
import type { Listing } from '@touchstone/x402';
import { canonicalize } from './canonicalize.ts';
import { fillTemplate } from './fill-template.ts';
import { storableText } from './storable-text.ts';

/** A directory's item that names an endpoint. Texts and prices are the seller's claim. */
export interface CatalogListing extends Omit<Listing, 'resource'> {
  /** The canonical URL. */
  readonly resource: string;
  /** What a probe asks for; null for a template whose listing gives no example values. */
  readonly probeUrl: string | null;
  readonly host: string;
  readonly id: string;
  readonly slug: string;
  readonly templated: boolean;
}

/** An item that cannot be an endpoint, and why. */
export interface Reject {
  /** As advertised, cut and without control characters; empty when the item names none. */
  readonly resource: string;
  readonly reason: string;
}

export interface ParsedItems {
  /** One for each endpoint, in order of first appearance. */
  readonly accepted: readonly CatalogListing[];
  /** Items whose endpoint another item speaks for. */
  readonly duplicates: number;
  readonly rejects: readonly Reject[];
}

/** Characters of an advertised address, and of a reason, that are kept with a reject. */
const rejectLength = 200;

function advertised(item: unknown): string {
  if (typeof item !== 'object' || item === null) return '';
  const { resource, url }: { readonly resource?: unknown; readonly url?: unknown } = item;
  const named = resource ?? url;
  return typeof named === 'string' ? named : '';
}

type Parsed =
  { readonly ok: true; readonly listing: CatalogListing } | { readonly ok: false; readonly reason: string };

function parseItem(item: unknown): Parsed {
  const read = readListing(item);
  if (!read.ok) return read;
  const { listing } = read;
  // The address of an MCP server says nothing about its tools, and a plain request to it is no probe.
  if (listing.type?.toLowerCase() === 'mcp')
    return { ok: false, reason: 'an MCP tool is not an HTTP endpoint' };
  const canonical = canonicalize(listing.resource);
  if (!canonical.ok) return canonical;
  const { resource, host, id, slug, templated } = canonical;
  const probeUrl = templated ? fillTemplate(resource, listing.pathParams) : resource;
  return { ok: true, listing: { ...listing, resource, probeUrl, host, id, slug, templated } };
}

/** Later news wins, then an item that says it is an HTTP endpoint; else the first one stays. */
function replaces(later: CatalogListing, earlier: CatalogListing): boolean {
  const newer = (later.lastUpdated ?? -1) - (earlier.lastUpdated ?? -1);
  if (newer !== 0) return newer > 0;
  return later.type === 'http' && earlier.type !== 'http';
}

/**
 * Reads the items of a directory page. Every item ends in exactly one of accepted, duplicate or rejected, so the
 * three counts add up to the number of items. Never throws.
 *
 * @param items - The `items` of a directory's answer, as parsed from JSON.
 */
export function parseItems(items: readonly unknown[]): ParsedItems {
  const accepted = new Map<string, CatalogListing>();
  const rejects: Reject[] = [];
  let duplicates = 0;
  for (const item of items) {
    const parsed = parseItem(item);
    if (!parsed.ok) {
      const resource = storableText(advertised(item), rejectLength);
      rejects.push({ resource, reason: storableText(parsed.reason, rejectLength) });
      continue;
    }
    const { listing } = parsed;
    const known = accepted.get(listing.id);
    if (known !== undefined) duplicates += 1;
    if (known === undefined || replaces(listing, known)) accepted.set(listing.id, listing);
  }
  return { accepted: [...accepted.values()], duplicates, rejects };
}
