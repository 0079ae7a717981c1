import { createHash } from 'node:crypto';
import { base32 } from '@scure/base';

/** Length of an endpoint id, in base32 characters (50 bits). */
const ID_CHARS = 10;

/**
 * Returns the id of an endpoint: the first ten characters of the lower-case base32 form of the SHA-256 hash of its
 * canonical URL. With 50 bits, two of a million endpoints share an id with a probability of about 1 in 2,000.
 *
 * @param canonicalUrl - A URL returned by `canonicalize`.
 */
export function toEndpointId(canonicalUrl: string): string {
  const hash = createHash('sha256').update(canonicalUrl).digest();
  return base32.encode(hash).slice(0, ID_CHARS).toLowerCase();
}

/** Maximum total length of the words in a slug, in characters. The id after the words is not counted. */
const MAX_WORDS_CHARS = 60;
const SLUG = /^[a-z0-9-]*([a-z2-7]{10})$/;

export interface SlugParts {
  readonly host: string;
  /** Path of the canonical URL. */
  readonly path: string;
  readonly id: string;
}

function cutWords(words: string): string {
  if (words.length <= MAX_WORDS_CHARS) return words;
  const start = words.slice(0, MAX_WORDS_CHARS + 1);
  const end = start.lastIndexOf('-');
  return end > 0 ? start.slice(0, end) : start.slice(0, MAX_WORDS_CHARS);
}

/** Returns the text that identifies an endpoint in page URLs (slug): words of its host and path, then its id. */
export function toEndpointSlug({ host, path, id }: SlugParts): string {
  const text = `${host}/${path.replace(/%[0-9A-F]{2}/g, ' ')}`.toLowerCase();
  const words = text.match(/[a-z0-9]+/g) ?? [];
  return `${cutWords(words.join('-'))}-${id}`;
}

/**
 * Extracts the endpoint id from the end of a slug. The words before the id are ignored, so that old or shortened page
 * URLs still work.
 *
 * @returns The id, even if no endpoint has it; null when the text is not a slug.
 */
export function parseSlugId(slug: string): string | null {
  return SLUG.exec(slug)?.[1] ?? null;
}

/**
 * Computes the offset of an endpoint's probes from the start of each probe interval. An endpoint always has the same
 * offset, and the offsets of all endpoints are spread evenly over the interval.
 *
 * @param id - The id of the endpoint.
 * @param intervalSeconds - A whole number of seconds, at least one.
 * @returns Whole seconds from the start of the interval, less than its length.
 * @throws RangeError when the interval is not a whole number of at least one.
 */
export function computeProbeOffsetSeconds(id: string, intervalSeconds: number): number {
  if (!Number.isSafeInteger(intervalSeconds) || intervalSeconds < 1) {
    throw new RangeError(`an interval of ${intervalSeconds} seconds is not a whole number of at least one`);
  }
  // The id is hashed, because ids need not be evenly distributed.
  const hash = createHash('sha256').update(`probe offset of ${id}`).digest();
  return Number(hash.readBigUInt64BE() % BigInt(intervalSeconds));
}
