import type { Probe } from '@touchstone/probe';
import { cleanText } from '@touchstone/x402';

/** Maximum length of a response that is read, in bytes. */
export const MAX_READ_BYTES = 4_096;
/** Maximum length of a stored response, in UTF-8 bytes. */
const MAX_STORED_BYTES = 1_000;
/** Number of consecutive characters of a URL that a stored response must not contain. Shorter parts are no secrets. */
const SECRET_CHARS = 8;

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
  // The end of a truncated response could be the beginning of a secret, which is too short to be recognized.
  const end = bodyTruncated ? Math.max(0, body.length - SECRET_CHARS) : body.length;
  const text = cleanText(redact(body, end, listSecrets(url)), MAX_STORED_BYTES);
  return text === null ? null : truncateBytes(text);
}

/** Returns the text before `end`. Replaces each run of characters in which every window of 8 is a secret by `…`. */
function redact(text: string, end: number, secrets: ReadonlySet<string>): string {
  let redacted = '';
  let secretUntil = 0;
  for (let at = 0; at < end; at += 1) {
    if (secrets.has(text.slice(at, at + SECRET_CHARS))) {
      if (at >= secretUntil) redacted += '…';
      secretUntil = at + SECRET_CHARS;
    } else if (at >= secretUntil) redacted += text.charAt(at);
  }
  return redacted;
}

/** Lists all runs of 8 characters in the parts of path and query, as sent and without percent-encoding. */
function listSecrets(url: string): ReadonlySet<string> {
  const { pathname, search } = new URL(url);
  const parts = `${pathname}${search}`.split(/[/?&=;,]/).flatMap((part) => [part, decode(part)]);
  const listRuns = (part: string): readonly string[] =>
    Array.from({ length: Math.max(0, part.length - SECRET_CHARS + 1) }, (_, at) =>
      part.slice(at, at + SECRET_CHARS),
    );
  return new Set(parts.flatMap(listRuns));
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
