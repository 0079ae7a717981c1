import type { WatchEvent } from '@touchstone/contract';
import { describeEvent, getTitle } from '../events/describe-event.ts';
import { formatTime } from '../events/format-time.ts';
import { formatSentence } from '../events/sentence.ts';

/** Maximum number of entries of one merged message that are listed, the latest ones. */
const MAX_LISTED = 10;

/** Mark after a code span that was cut. */
const CUT_MARK = '…`';

const SYMBOLS: Readonly<Record<WatchEvent['severity'], string>> = {
  critical: '🚨 ',
  warning: '⚠️ ',
  info: 'ℹ️ ',
};

/** Markup of a chat service. */
export interface Markup {
  readonly formatBold: (text: string) => string;
  /** Formats unverified text. */
  readonly formatValue: (text: string) => string;
  /** Formats a link to a page of this service. */
  readonly formatLink: (label: string, url: string) => string;
  /** Maximum length of a message, in UTF-16 code units. */
  readonly maxChars: number;
}

/**
 * Formats events of one watch as the text of a chat message: what changed, on which endpoint, from what to what, since
 * when, and a link to the endpoint page.
 *
 * @param events one event, or several liveness events in order, of which the last one is the title
 */
export function formatChatText(events: readonly WatchEvent[], markup: Markup): string {
  const last = events.at(-1);
  if (last === undefined) throw new TypeError('A chat message needs at least one event; it has none.');
  const title = `${SYMBOLS[last.severity]}${markup.formatBold(getTitle(last.type))}`;
  const endpoint = `Endpoint: ${markup.formatValue(last.endpoint)}`;
  const link = markup.formatLink('Endpoint page', last.data.endpoint_page);
  const lines = events.length === 1 ? formatEvent(last, markup) : formatMerged(events, markup);
  return limitChars([title, endpoint, ...lines], link, markup.maxChars);
}

function formatEvent(event: WatchEvent, { formatValue }: Markup): readonly string[] {
  return [
    formatSentence(describeEvent(event), formatValue),
    `Observed: ${formatTime(event.observed_at_iso)}`,
  ];
}

function formatMerged(events: readonly WatchEvent[], { formatValue }: Markup): readonly string[] {
  const listed = events.slice(-MAX_LISTED).map((event) => {
    const text = formatSentence(describeEvent(event), formatValue);
    return `• ${formatTime(event.observed_at_iso)}: ${text}`;
  });
  const omitted = events.length - listed.length;
  const start = `Its state changed ${events.length} times:`;
  return [start, ...(omitted > 0 ? [`• (the first ${omitted} are in the log of the watch)`] : []), ...listed];
}

/** Joins lines and adds the link. Cuts the lines if the text would be too long. */
function limitChars(lines: readonly string[], link: string, maxChars: number): string {
  const text = lines.join('\n');
  const room = maxChars - link.length - CUT_MARK.length - 1;
  if (text.length <= room) return `${text}\n${link}`;
  const cut = text.slice(0, Math.max(0, room)).toWellFormed();
  // Ends a code span that was cut. Otherwise its unverified text would be interpreted as markup.
  const isInCode = cut.split('`').length % 2 === 0;
  return `${cut}${isInCode ? CUT_MARK : '…'}\n${link}`.slice(0, maxChars);
}
