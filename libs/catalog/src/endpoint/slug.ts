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
