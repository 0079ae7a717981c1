import { formatMinute } from '@touchstone/common';
import { formatSentence, WATCH_EVENTS, type WatchEvent } from '@touchstone/contract';
import { describeEvent } from '../events/to-watch-event.ts';
import { toDigestMessage, type DeliveryDigest } from '../messages/delivery-digest.ts';
import { formatSenderPage } from '../messages/sender-notice.ts';

/** Maximum number of entries that a merged message lists. The latest entries are listed. */
const MAX_LISTED = 10;

/** End of a shortened code span: an ellipsis and the closing backtick. */
const CUT_MARK = '…`';

const SYMBOLS: Readonly<Record<WatchEvent['severity'], string>> = {
  critical: '🚨 ',
  warning: '⚠️ ',
  info: 'ℹ️ ',
};

/** Markup of a chat service. */
interface Markup {
  readonly formatBold: (text: string) => string;
  /** Formats unverified text. */
  readonly formatValue: (text: string) => string;
  /** Formats a link to a page of this service. */
  readonly formatLink: (label: string, url: string) => string;
  /** Maximum length of a message, in UTF-16 code units. */
  readonly maxChars: number;
}

/** Content of a message: events of one watch, or a digest. Several events must all be about liveness. */
export type ChatContent =
  | { readonly watchId: string; readonly events: readonly WatchEvent[] }
  | { readonly digest: DeliveryDigest };

/** Watch whose new chat is tested, and the base URL of this service. */
export interface ChatTest {
  readonly watchId: string;
  readonly resource: string;
  readonly baseUrl: string;
}

export interface SlackMessage {
  readonly text: string;
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Markup mrkdwn of Slack. Slack needs `&`, `<` and `>` as entities: without them, text such as `<!channel>` would be a
 * mention. Slack recommends at most 4,000 characters.
 */
const SLACK_MARKUP: Markup = {
  formatBold: (text) => `*${text}*`,
  formatValue: (text) => toCodeSpan(text, escapeEntities),
  formatLink: (label, url) => `<${escapeEntities(url).replaceAll('|', '%7C')}|${label}>`,
  maxChars: 4_000,
};

function escapeEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

/** Formats events or a digest for Slack. */
export function formatSlackMessage(content: ChatContent): SlackMessage {
  return toSlackMessage(formatChatText(content, SLACK_MARKUP));
}

export function formatSlackTest(test: ChatTest): SlackMessage {
  return toSlackMessage(formatTestText(test, SLACK_MARKUP));
}

function toSlackMessage(text: string): SlackMessage {
  return { text, unfurl_links: false, unfurl_media: false };
}

/** Message to an incoming webhook of Discord. The message has no embeds, because users can hide embeds. */
export interface DiscordMessage {
  /** Text of at most 2,000 characters. */
  readonly content: string;
  /** An empty list: no text in the message is a mention. */
  readonly allowed_mentions: { readonly parse: readonly [] };
  readonly flags: number;
}

/** Message flag SUPPRESS_EMBEDS of Discord: links have no preview. */
const SUPPRESS_EMBEDS = 1 << 2;

const DISCORD_MARKUP: Markup = {
  formatBold: (text) => `**${text}**`,
  // Discord interprets no markup inside of a code span, not even a backslash.
  formatValue: (text) => toCodeSpan(text, (part) => part),
  formatLink: (label, url) => `[${label}](<${url.replaceAll('>', '%3E')}>)`,
  maxChars: 2_000,
};

/** Formats events or a digest for Discord. */
export function formatDiscordMessage(content: ChatContent): DiscordMessage {
  return toDiscordMessage(formatChatText(content, DISCORD_MARKUP));
}

export function formatDiscordTest(test: ChatTest): DiscordMessage {
  return toDiscordMessage(formatTestText(test, DISCORD_MARKUP));
}

function toDiscordMessage(content: string): DiscordMessage {
  return { content, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
}

/**
 * Formats events of one watch, oldest first, as the text of a chat message: what changed, on which endpoint, from what
 * to what, since when, and a link to the endpoint page. The last event becomes the title.
 */
function formatChatText(content: ChatContent, markup: Markup): string {
  if ('digest' in content) return formatDigest(content.digest, markup);
  const { events, watchId } = content;
  const last = events.at(-1);
  if (last === undefined) throw new TypeError('A chat message needs at least one event; it has none.');
  const title = `${SYMBOLS[last.severity]}${markup.formatBold(WATCH_EVENTS[last.type].headline)}`;
  const endpoint = `Endpoint: ${markup.formatValue(last.endpoint)}`;
  const page = last.data.endpoint_page;
  const footer = `${markup.formatLink('Endpoint page', page)}\n${formatNotice(watchId, page, markup)}`;
  const lines = events.length === 1 ? formatEvent(last, markup) : formatMerged(events, markup);
  return limitChars([title, endpoint, ...lines], footer, markup.maxChars);
}

function formatDigest(digest: DeliveryDigest, markup: Markup): string {
  const { severity, summary, endpoint } = toDigestMessage(digest).data;
  const title = `${SYMBOLS[severity]}${markup.formatBold('Events could not be delivered singly')}`;
  const link = markup.formatLink('Log of the watch', new URL('/watch', digest.pollUrl).href);
  const footer = `${link}\n${formatNotice(digest.watchId, digest.pollUrl, markup)}`;
  return limitChars([title, `Endpoint: ${markup.formatValue(endpoint)}`, summary], footer, markup.maxChars);
}

/** Names the watch and the sender, and tells how to refuse the messages. @param serviceUrl any URL of this service */
function formatNotice(watchId: string, serviceUrl: string, { formatLink }: Markup): string {
  const sender = formatLink('Touchstone', formatSenderPage(serviceUrl));
  return `Watch \`${watchId}\`, sent by ${sender}. To refuse, delete this webhook or respond with status 410.`;
}

function formatEvent(event: WatchEvent, { formatValue }: Markup): readonly string[] {
  return [
    formatSentence(describeEvent(event), formatValue),
    `Observed: ${formatMinute(event.observed_at_iso)}`,
  ];
}

function formatMerged(events: readonly WatchEvent[], { formatValue }: Markup): readonly string[] {
  const listed = events.slice(-MAX_LISTED).map((event) => {
    const text = formatSentence(describeEvent(event), formatValue);
    return `• ${formatMinute(event.observed_at_iso)}: ${text}`;
  });
  const omitted = events.length - listed.length;
  const start = `Its state changed ${events.length} times:`;
  return [start, ...(omitted > 0 ? [`• (the first ${omitted} are in the log of the watch)`] : []), ...listed];
}

/** Joins lines and adds the footer. Cuts the lines if the text would be too long. */
function limitChars(lines: readonly string[], footer: string, maxChars: number): string {
  const text = lines.join('\n');
  const room = maxChars - footer.length - CUT_MARK.length - 1;
  if (text.length <= room) return `${text}\n${footer}`;
  const cut = text.slice(0, Math.max(0, room)).toWellFormed();
  // Ends a code span that was cut. Otherwise its unverified text would be interpreted as markup.
  const isInCode = cut.split('`').length % 2 === 0;
  return `${cut}${isInCode ? CUT_MARK : '…'}\n${footer}`.slice(0, maxChars);
}

function formatTestText({ watchId, resource, baseUrl }: ChatTest, markup: Markup): string {
  const test = `Connection test: alerts on ${markup.formatValue(resource)} will arrive here.`;
  return `${test}\n${formatNotice(watchId, baseUrl, markup)}`;
}

/** Zero-width space. Inserted after an `@`, it turns a mention into plain text. */
const BREAK = '\u200b';

/** Maximum length of a value in a chat message, in UTF-16 code units. The endpoint page has the whole value. */
const MAX_VALUE_CHARS = 150;

/**
 * Formats unverified text as a code span, so that markup and mentions in the text have no effect. Long text is cut in
 * the middle, so that both ends of a URL or an address can be compared.
 */
function toCodeSpan(text: string, escape: (part: string) => string): string {
  const half = MAX_VALUE_CHARS / 2;
  const short = text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
  // A backtick would end the code span. Some services recognize mentions also inside of code.
  const harmless = short
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replaceAll('`', "'")
    .replaceAll('@', `@${BREAK}`)
    .trim();
  return `\`${harmless === '' ? '?' : escape(harmless)}\``;
}
