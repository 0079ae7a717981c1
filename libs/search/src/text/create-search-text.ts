import { createHash } from 'node:crypto';
import { cleanText } from '@touchstone/x402';

/** Text of an endpoint that is embedded. */
export interface SearchText {
  /** 1 to 1,000 characters on one line. */
  readonly text: string;
  /** SHA-256 of the text, base64url. */
  readonly textHash: string;
  /** True when the text contains a description; false when it has only the words of name and URL. */
  readonly described: boolean;
}

/** Parts of an endpoint from which its text is created. All of them are untrusted. */
export interface SearchTextSource {
  readonly resource: string;
  readonly serviceName: string | null;
  readonly description: string | null;
}

/** Maximum length of a text, in UTF-16 units. */
const MAX_TEXT_CHARACTERS = 1_000;

/** Creates the text that is embedded for an endpoint. Never throws, and never returns an empty text. */
export function createSearchText({ resource, serviceName, description }: SearchTextSource): SearchText {
  const text = cleanText([serviceName, description ?? resource].join(' '), MAX_TEXT_CHARACTERS) ?? 'endpoint';
  return {
    text,
    textHash: createHash('sha256').update(text).digest('base64url'),
    described: description !== null,
  };
}
