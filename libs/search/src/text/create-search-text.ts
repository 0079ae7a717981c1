import { createHash } from 'node:crypto';
import { cleanText } from '@touchstone/x402';

/** Text of an endpoint that is embedded. */
export interface SearchText {
  /** 1 to 1,000 characters on one line. */
  readonly text: string;
  /** SHA-256 of the text, base64url. */
  readonly textHash: string;
  /** True when the text contains a description; false when it contains only the words of name and URL. */
  readonly described: boolean;
}

/** Parts of an endpoint from which its text is created. All parts are untrusted. */
export interface SearchTextSource {
  readonly resource: string;
  readonly serviceName: string | null;
  readonly description: string | null;
}

/** Maximum length of a text, in UTF-16 units. An English text of this length has about 230 of the 512 tokens. */
const MAX_TEXT_CHARACTERS = 1_000;
const MAX_NAME_CHARACTERS = 100;

/**
 * Creates the text that is embedded for an endpoint. Never throws. The text consists of the first of these parts that
 * exist:
 *
 * - the description and the service name
 * - the service name and the words of the URL path
 * - the words of the host
 *
 * @returns null when the endpoint has no words. A common text would make all such endpoints similar to each other.
 */
export function createSearchText({
  resource,
  serviceName,
  description,
}: SearchTextSource): SearchText | null {
  const name = clean(serviceName, MAX_NAME_CHARACTERS);
  const described = clean(description, MAX_TEXT_CHARACTERS);
  const isDescribed = isInformative(described, [name, resource]);
  const text = isDescribed ? joinDescription(described, name) : joinWords(name, resource);
  if (text === '') return null;
  return { text, textHash: createHash('sha256').update(text).digest('base64url'), described: isDescribed };
}

function clean(text: string | null, limit: number): string {
  // The text is cut twice, because its white space is collapsed between the two cuts.
  const line = (cleanText(text, 2 * limit) ?? '').replace(/\s+/gu, ' ').trim();
  return line.slice(0, limit).toWellFormed().trim();
}

/** Returns false for descriptions without words, and for descriptions that only repeat the service name or the URL. */
function isInformative(description: string, repeated: readonly string[]): boolean {
  const letters = toLetters(description);
  return letters.length > 1 && !repeated.some((text) => toLetters(text) === letters);
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '');
}

/**
 * Appends the service name to the description. This order had the best precision on labelled data. A name that is
 * already in the description is not repeated.
 */
function joinDescription(description: string, name: string): string {
  if (name === '' || description.toLowerCase().includes(name.toLowerCase())) return description;
  const separator = ' — ';
  const space = MAX_TEXT_CHARACTERS - separator.length - name.length;
  return `${description.slice(0, space).toWellFormed().trim()}${separator}${name}`;
}

/**
 * Joins the service name and the path words that are not in the name. Returns the words of the host if there is neither
 * a name nor a path word.
 */
function joinWords(name: string, resource: string): string {
  const { path, host } = readUrlWords(resource);
  const inName = new Set(name.toLowerCase().split(/[^\p{L}\p{M}]+/u));
  const words = path.filter((word) => !inName.has(word)).join(' ');
  const text = [name, words].filter((part) => part !== '').join(': ') || host.join(' ');
  return clean(text, MAX_TEXT_CHARACTERS);
}

/** Words of a URL that say nothing about the endpoint. */
const NOISE = new Set(['api', 'apis', 'rest', 'www', 'http', 'https', 'index', 'html', 'php']);
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
const PLACEHOLDER = /\{[^{}]*\}|<[^<>]*>|\[[^[\]]*\]/g;
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;
/** Maximum number of characters of a URL that are read. */
const MAX_URL_CHARACTERS = 2_048;
const MAX_WORDS = 40;

/** Words of a URL, in their order and without duplicates. */
interface UrlWords {
  readonly path: readonly string[];
  /** Words of the part of the host that names the service. */
  readonly host: readonly string[];
}

/**
 * Splits the path and the host of a URL or URL template into words: at separators, digits and changes of letter case.
 * Versions, placeholders and ids are omitted. Never throws.
 */
function readUrlWords(resource: string): UrlWords {
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
 * Returns the words of the first label that has words or an id. Later labels often name the domain of a hosting
 * provider and not the service.
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
