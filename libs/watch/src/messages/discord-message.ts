import type { WatchEvent } from '@touchstone/contract';
import { formatChatText, type Markup } from './chat-text.ts';
import { toCodeSpan } from './escape-text.ts';

/** Message to an incoming webhook of Discord. It has no embeds, because users can hide them. */
export interface DiscordMessage {
  /** Text of at most 2,000 characters. */
  readonly content: string;
  /** An empty list: no text in the message is a mention. */
  readonly allowed_mentions: { readonly parse: readonly [] };
  readonly flags: number;
}

/** Message flag SUPPRESS_EMBEDS of Discord: links have no preview. */
const SUPPRESS_EMBEDS = 1 << 2;

const MARKUP: Markup = {
  formatBold: (text) => `**${text}**`,
  // Discord interprets no markup inside of a code span, not even a backslash.
  formatValue: (text) => toCodeSpan(text, (part) => part),
  formatLink: (label, url) => `[${label}](<${url.replaceAll('>', '%3E')}>)`,
  maxChars: 2_000,
};

/** Formats events for Discord. Several events are merged into one message; all of them must be about liveness. */
export function formatDiscordMessage(events: readonly WatchEvent[]): DiscordMessage {
  return toDiscordMessage(formatChatText(events, MARKUP));
}

/** Formats the test message for a new Discord URL. */
export function formatDiscordTest(resource: string): DiscordMessage {
  return toDiscordMessage(`Connection test: alerts on ${MARKUP.formatValue(resource)} will arrive here.`);
}

function toDiscordMessage(content: string): DiscordMessage {
  return { content, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
}
