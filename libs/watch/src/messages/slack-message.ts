import type { WatchEvent } from '@touchstone/contract';
import { formatChatText, type Markup } from './chat-text.ts';
import { toCodeSpan } from './escape-text.ts';

/** Message to an incoming webhook of Slack, or of a service that accepts the same format. */
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
const MARKUP: Markup = {
  formatBold: (text) => `*${text}*`,
  formatValue: (text) => toCodeSpan(text, escape),
  formatLink: (label, url) => `<${escape(url).replaceAll('|', '%7C')}|${label}>`,
  maxChars: 4_000,
};

function escape(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

/** Formats events for Slack. Several events are merged into one message; all of them must be about liveness. */
export function formatSlackMessage(events: readonly WatchEvent[]): SlackMessage {
  return toSlackMessage(formatChatText(events, MARKUP));
}

/** Formats the test message for a new Slack URL. */
export function formatSlackTest(resource: string): SlackMessage {
  return toSlackMessage(`Connection test: alerts on ${MARKUP.formatValue(resource)} will arrive here.`);
}

function toSlackMessage(text: string): SlackMessage {
  return { text, unfurl_links: false, unfurl_media: false };
}
