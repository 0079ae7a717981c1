import { createHash } from 'node:crypto';
import { cleanText } from '@touchstone/x402';
import { readUrlWords } from './url-words.ts';

/** Text of an endpoint that is embedded. */
export interface SearchText {
  /** 1 to 1,000 characters on one line. */
  readonly text: string;
  /** SHA-256 of the text, base64url. */
  readonly textHash: string;
  /** True when the text contains a description; false when it contains only the words of name and URL. */
  readonly described: boolean;
}

/** Parts of an endpoint from which its text is created. All of them are untrusted. */
export interface SearchTextSource {
  readonly resource: string;
  readonly serviceName: string | null;
  readonly description: string | null;
}

/** Maximum length of a text, in UTF-16 units. An English text of this length has about 230 of the 512 tokens. */
const MAX_TEXT_CHARACTERS = 1_000;
const MAX_NAME_CHARACTERS = 100;

/**
 * Creates the text that is embedded for an endpoint: the description and the service name; without a description, the
 * service name and the words of the URL path; without both, the words of the host. Never throws.
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
  // The text is cut before and after, because its white space is collapsed in between.
  const line = (cleanText(text, 2 * limit) ?? '').replace(/\s+/gu, ' ').trim();
  return line.slice(0, limit).toWellFormed().trim();
}

/** Returns false for descriptions without words, and for those that only repeat the service name or the URL. */
function isInformative(description: string, repeated: readonly string[]): boolean {
  const letters = toLetters(description);
  return letters.length > 1 && !repeated.some((text) => toLetters(text) === letters);
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '');
}

/**
 * Appends the service name to the description. The order had the best precision on labelled data. A name that is already
 * in the description is not repeated.
 */
function joinDescription(description: string, name: string): string {
  if (name === '' || description.toLowerCase().includes(name.toLowerCase())) return description;
  const separator = ' — ';
  const space = MAX_TEXT_CHARACTERS - separator.length - name.length;
  return `${description.slice(0, space).toWellFormed().trim()}${separator}${name}`;
}

/** Joins the service name and the path words that are not in the name; without both, the words of the host. */
function joinWords(name: string, resource: string): string {
  const { path, host } = readUrlWords(resource);
  const inName = new Set(name.toLowerCase().split(/[^\p{L}\p{M}]+/u));
  const words = path.filter((word) => !inName.has(word)).join(' ');
  const text = [name, words].filter((part) => part !== '').join(': ') || host.join(' ');
  return clean(text, MAX_TEXT_CHARACTERS);
}
