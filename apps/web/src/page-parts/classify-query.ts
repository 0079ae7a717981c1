/** Pattern of a host with a dot and a path, without a scheme. The last label of the host has no digits. */
const HOST_AND_PATH = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S*$/i;

/**
 * Returns the URL that a search text is, with `https://` if the text has a host and a path but no scheme; null for any
 * other text. Page scripts use this function too.
 */
export function toUrlText(text: string): string | null {
  if (/^https?:\/\/[^/\s]\S*$/i.test(text)) return text;
  // The test of page scripts refuses texts that look like a link to another site.
  return HOST_AND_PATH.test(text) ? ['https:', '', text].join('/') : null;
}

/** Pattern of a host with a dot. */
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}$/i;

/** Returns the host that a search text is, in lower case; null for any other text. */
export function toHostText(text: string): string | null {
  return HOST.test(text) ? text.toLowerCase() : null;
}
