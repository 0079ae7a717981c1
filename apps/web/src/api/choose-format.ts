/** Value of the `Vary` header of a URL with two formats: the request headers that choose the format. */
export const FORMAT_VARY = 'Accept, User-Agent';

/** Names of programs that read pages: search engines, assistants, link previews, archives and validators. */
const PAGE_READERS = String.raw`
  adsbot-google amazonbot applebot bingbot bingpreview ccbot duckduckbot googlebot googleother mail\.ru_bot yeti/
  ai2bot chatgpt-user claude-user claudebot gptbot meta-external mistralai-user oai-searchbot perplexity-user perplexitybot
  discordbot embedly facebookcatalog facebookexternalhit flipboard iframely kakaotalk-scrap linkedinbot mattermost-bot
  microsoftpreview onebox pinterest
  redditbot skypeuripreview slackbot snap\surl\spreview telegrambot tumblr twitterbot viber vkshare whatsapp
  akkoma cardyb friendica lemmy mastodon/ misskey pleroma summalybot
  archive\.org_bot heritrix ia_archiver validator\.nu w3c[_-]`;
const PAGE_READER = new RegExp(`\\b(?:${PAGE_READERS.trim().replaceAll(/\s+/g, '|')})`, 'i');

/** Words for programs that read pages. API clients and phones also have such names, as in `trading-bot` and `CUBOT`. */
const READER_WORD = /(?:bot|crawler|spider|validator)\b/i;

/** Request headers that choose between two formats, as received; null for a missing header. */
interface FormatHeaders {
  readonly accept: string | null;
  readonly userAgent: string | null;
}

/**
 * Chooses between a page and JSON at the same URL. A client that names `text/html` or JSON gets this format. Every
 * other client gets JSON, except for programs that read pages, because such programs often accept every type.
 */
export function chooseFormat({ accept, userAgent }: FormatHeaders): 'html' | 'json' {
  return readPreferredFormat(accept) ?? (readsPages(userAgent ?? '') ? 'html' : 'json');
}

/** A name with the word `bot` or similar counts only if a contact URL follows, as in `(bot; +https://bot.example)`. */
function readsPages(userAgent: string): boolean {
  if (PAGE_READER.test(userAgent)) return true;
  const [name = '', contact] = userAgent.split('+http', 2);
  return contact !== undefined && READER_WORD.test(name);
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
