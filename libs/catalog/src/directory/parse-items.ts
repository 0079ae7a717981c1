import { readListing, type Listing } from '@touchstone/x402';
import { canonicalize } from '../endpoint/canonicalize.ts';
import { fillTemplate } from '../endpoint/fill-template.ts';

/**
 * Shortens untrusted text and removes characters that are unsafe to store or log. PostgreSQL rejects U+0000 and lone
 * surrogates in JSON, and terminals interpret other control characters.
 *
 * @param text - Untrusted text.
 * @param limit - Maximum length, in UTF-16 code units.
 * @returns The start of the text without control characters and lone surrogates.
 */
export function toStorableText(text: string, limit: number): string {
  // Cutting the text first limits the cost of the next steps for long input.
  return text
    .slice(0, limit)
    .replace(/\p{Cc}+/gu, '')
    .toWellFormed();
}

/** Endpoint as listed by a directory. Its texts and prices are unverified claims of the seller. */
export interface CatalogListing extends Omit<Listing, 'resource'> {
  /** Canonical URL. */
  readonly resource: string;
  /** URL to probe; null for a URL template without example values for its placeholders. */
  readonly probeUrl: string | null;
  readonly host: string;
  readonly id: string;
  readonly slug: string;
  readonly templated: boolean;
}

/** Directory item that does not describe a public HTTP endpoint. */
interface RejectedItem {
  /** URL of the item, shortened and without control characters; empty when the item has no URL. */
  readonly resource: string;
  readonly reason: string;
}

export interface ParsedItems {
  /** One listing per endpoint, in order of first appearance. */
  readonly accepted: readonly CatalogListing[];
  /** Number of items whose endpoint is already listed by another item of the page. */
  readonly duplicates: number;
  readonly rejects: readonly RejectedItem[];
}

/** Maximum length of the URL and of the reason of a rejected item, in characters. */
const MAX_REJECT_CHARS = 200;

function getAdvertisedUrl(item: unknown): string {
  if (typeof item !== 'object' || item === null) return '';
  const { resource, url }: { readonly resource?: unknown; readonly url?: unknown } = item;
  const named = resource ?? url;
  return typeof named === 'string' ? named : '';
}

type Parsed =
  | { readonly ok: true; readonly listing: CatalogListing }
  | { readonly ok: false; readonly reason: string };

function parseItem(item: unknown): Parsed {
  const read = readListing(item);
  if (!read.ok) return read;
  const { listing } = read;
  // One MCP server serves many tools at one URL, so the URL does not identify a tool. An HTTP probe cannot call a tool.
  if (listing.type?.toLowerCase() === 'mcp')
    return { ok: false, reason: 'an MCP tool is not an HTTP endpoint' };
  const canonical = canonicalize(listing.resource);
  if (!canonical.ok) return canonical;
  const { resource, host, id, slug, templated } = canonical;
  const probeUrl = templated ? fillTemplate(resource, listing.pathParams) : resource;
  return { ok: true, listing: { ...listing, resource, probeUrl, host, id, slug, templated } };
}

/**
 * Returns true when a later item replaces an earlier item of the same endpoint. The item with the more recent update is
 * preferred, then the item of type `http`, then the earlier item.
 */
function isPreferred(later: CatalogListing, earlier: CatalogListing): boolean {
  const newer = (later.lastUpdated ?? -1) - (earlier.lastUpdated ?? -1);
  if (newer !== 0) return newer > 0;
  return later.type === 'http' && earlier.type !== 'http';
}

/**
 * Parses the items of a directory page. Each item is either accepted, a duplicate or rejected, so the three counts add
 * up to the number of items. Never throws.
 *
 * @param items - The `items` of a directory response, as parsed from JSON.
 */
export function parseItems(items: readonly unknown[]): ParsedItems {
  const accepted = new Map<string, CatalogListing>();
  const rejects: RejectedItem[] = [];
  let duplicates = 0;
  for (const item of items) {
    const parsed = parseItem(item);
    if (!parsed.ok) {
      const resource = toStorableText(getAdvertisedUrl(item), MAX_REJECT_CHARS);
      rejects.push({ resource, reason: toStorableText(parsed.reason, MAX_REJECT_CHARS) });
      continue;
    }
    const { listing } = parsed;
    const known = accepted.get(listing.id);
    if (known !== undefined) duplicates += 1;
    if (known === undefined || isPreferred(listing, known)) accepted.set(listing.id, listing);
  }
  return { accepted: [...accepted.values()], duplicates, rejects };
}
