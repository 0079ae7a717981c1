/** Words of a URL that say nothing about the endpoint. */
const NOISE = new Set(['api', 'apis', 'rest', 'www', 'http', 'https', 'index', 'html', 'php']);
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
const PLACEHOLDER = /\{[^{}]*\}|<[^<>]*>|\[[^[\]]*\]/g;
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;
/** Maximum number of characters of a URL that are read. */
const MAX_URL_CHARACTERS = 2_048;
const MAX_WORDS = 40;

/** Words of a URL, in their order and without duplicates. */
export interface UrlWords {
  readonly path: readonly string[];
  /** Words of the part of the host that names the service. */
  readonly host: readonly string[];
}

/**
 * Splits the path and the host of a URL or URL template into words: at separators, digits and changes of letter case.
 * Versions, placeholders and ids are omitted. Never throws.
 */
export function readUrlWords(resource: string): UrlWords {
  const url = resource.slice(0, MAX_URL_CHARACTERS);
  const authority = SCHEME_AND_HOST.exec(url);
  const [path = ''] = url.slice(authority?.[0].length ?? 0).split(/[?#]/, 1);
  const labels = (authority?.[1] ?? '').replace(/^.*@|:\d*$/g, '').split('.');
  const pieces = path
    .split('/')
    .map(decode)
    .filter((segment) => !segment.startsWith(':'));
  return {
    path: splitWords(pieces.join('/')),
    // The last label is the top-level domain, which has no meaning.
    host: readHostWords(labels.length > 1 ? labels.slice(0, -1) : labels),
  };
}

/**
 * Returns the words of the first label that has words or an id. The labels after it name the domain of a hosting
 * provider more often than the service.
 */
function readHostWords(labels: readonly string[]): readonly string[] {
  return splitWords(labels.find((label) => isId(label) || splitWords(label).length > 0) ?? '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment.replace(/%[\da-f]{0,2}/gi, ' ');
  }
}

function splitWords(text: string): readonly string[] {
  const words = text
    .replace(PLACEHOLDER, ' ')
    .replace(UUID, ' ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((piece) => !isId(piece))
    .flatMap(splitPiece)
    .filter((word) => word.length > 1 && !NOISE.has(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Splits at digits and changes of letter case: `getNFTPrice2` is split into `get`, `nft` and `price`. */
function splitPiece(piece: string): readonly string[] {
  return piece
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/[\s\p{N}]+/u)
    .map((word) => word.toLowerCase());
}

/**
 * Returns true for ids: addresses, hashes and order numbers. Names such as `img2img` are not ids, because
 * they change only twice between letters and digits.
 */
function isId(piece: string): boolean {
  const changes = piece.match(/\p{L}(?=\p{N})|\p{N}(?=\p{L})/gu)?.length ?? 0;
  const isHex = /^[\da-f]+$/i.test(piece);
  return (
    /^0x[\da-f]{4,}$/i.test(piece) || piece.length >= 32 || (piece.length >= 4 && changes >= (isHex ? 2 : 3))
  );
}
