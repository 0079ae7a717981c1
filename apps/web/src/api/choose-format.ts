/**
 * Pattern of the `User-Agent` of programs that read pages: search engines, link previews, archives and validators. Such
 * programs often accept every type. The pattern does not match browsers: a browser names `text/html` when it opens a
 * page, and accepts every type when a script of another page calls the API. The word `bot` counts only at the end of
 * a name, as in `Twitterbot`, so that the client `my-bot` gets JSON.
 */
const PAGE_READER =
  /[a-z\d]bot\b|\bcompatible;|crawl|spider|preview|validator|archiver|\b(?:(?:chatgpt|claude|perplexity)-user|cardyb|embedly|facebookcatalog|facebookexternalhit|flipboard|friendica|iframely|mastodon|meta-external|onebox|pinterest|viber|vkshare|w3c|whatsapp)/i;

/** Request headers that choose between two formats, as received; null for a missing header. */
interface FormatHeaders {
  readonly accept: string | null;
  readonly userAgent: string | null;
}

/** Format of a response, and the value of its `Vary` header: the request headers that chose the format. */
interface FormatChoice {
  readonly format: 'html' | 'json';
  readonly vary: 'Accept' | 'Accept, User-Agent';
}

/**
 * Chooses between a page and JSON at the same URL. A client that names `text/html` or JSON gets this format. Every
 * other client gets JSON, except for programs that read pages.
 */
export function chooseFormat({ accept, userAgent }: FormatHeaders): FormatChoice {
  const preferred = readPreferredFormat(accept);
  if (preferred !== null) return { format: preferred, vary: 'Accept' };
  return { format: PAGE_READER.test(userAgent ?? '') ? 'html' : 'json', vary: 'Accept, User-Agent' };
}

/**
 * Returns the format that a client names. If the header names both formats, the higher quality decides, and HTML at
 * equal qualities (RFC 9110, section 12.5.1). A client that refuses HTML prefers JSON.
 *
 * @param accept `Accept` header as received, or null.
 * @returns null if the header names neither format.
 */
export function readPreferredFormat(accept: string | null): 'html' | 'json' | null {
  let html: number | null = null;
  let json = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type === 'text/html') html = Math.max(html ?? 0, parseQuality(parameters));
    if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) json = Math.max(json, parseQuality(parameters));
  }
  if (html !== null) return html > 0 && html >= json ? 'html' : 'json';
  return json > 0 ? 'json' : null;
}

function parseQuality(parameters: readonly string[]): number {
  const value = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (value === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
