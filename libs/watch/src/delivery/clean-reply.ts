import type { Probe } from '@touchstone/probe';
import { cleanText } from '@touchstone/x402';

/** Maximum length of a response that is read, in bytes. */
export const MAX_READ_BYTES = 4_096;
/** Maximum length of a stored response, in UTF-8 bytes. */
const MAX_STORED_BYTES = 1_000;
/** Minimum length of a part of a URL that is removed from a response. Shorter parts are no secrets. */
const MIN_SECRET_CHARS = 8;

/**
 * Returns the text of a response as it is stored: one line of at most 1,000 bytes. Every part of the URL that could be
 * a secret is replaced by `…`, because some servers repeat the path in their response.
 *
 * @param url URL of the request
 * @returns null without a text
 */
export function cleanReply(
  { body, bodyTruncated }: Pick<Probe, 'body' | 'bodyTruncated'>,
  url: string,
): string | null {
  if (body === null) return null;
  const secrets = listSecrets(url);
  // The end of a truncated response could be the beginning of a secret, which would not be recognized.
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  const complete = bodyTruncated ? body.slice(0, Math.max(0, body.length - longest)) : body;
  const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), complete);
  const text = cleanText(redacted, MAX_STORED_BYTES);
  return text === null ? null : truncateBytes(text);
}

/** Lists the parts of path and query that could be a secret, as sent and without percent-encoding, longest first. */
function listSecrets(url: string): readonly string[] {
  const { pathname, search } = new URL(url);
  const parts = `${pathname}${search}`.split(/[/?&=;,]/);
  return [...new Set(parts.flatMap((part) => [part, decode(part)]))]
    .filter(({ length }) => length >= MIN_SECRET_CHARS)
    .sort((one, other) => other.length - one.length);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function truncateBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).slice(0, MAX_STORED_BYTES);
  // A character that was cut in two is left out: the decoder waits for its missing bytes.
  return new TextDecoder().decode(bytes, { stream: true });
}
