/** Characters of words in front of the id. */
const wordsLength = 60;
const shape = /^[a-z0-9-]*([a-z2-7]{10})$/;

export interface SlugParts {
  readonly host: string;
  /** The path of the canonical URL. */
  readonly path: string;
  readonly id: string;
}

function cutWords(words: string): string {
  if (words.length <= wordsLength) return words;
  const start = words.slice(0, wordsLength + 1);
  const end = start.lastIndexOf('-');
  return end > 0 ? start.slice(0, end) : start.slice(0, wordsLength);
}

/** The name of an endpoint in page addresses: words of its host and path for people, then its id for machines. */
export function endpointSlug({ host, path, id }: SlugParts): string {
  const text = `${host}/${path.replace(/%[0-9A-F]{2}/g, ' ')}`.toLowerCase();
  const words = text.match(/[a-z0-9]+/g) ?? [];
  return `${cutWords(words.join('-'))}-${id}`;
}

/**
 * Takes the id off the end of a slug. The words in front are not looked at: an old or shortened address still
 * leads to the endpoint.
 *
 * @returns The id, or null when the text does not have the shape of a slug. Whether such an endpoint exists is not
 * known here.
 */
export function idFromSlug(slug: string): string | null {
  return shape.exec(slug)?.[1] ?? null;
}
