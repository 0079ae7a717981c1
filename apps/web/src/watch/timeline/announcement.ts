import type { WatchEvent } from '@touchstone/contract';
import { EVENT_TITLES } from './event-titles.ts';

/** Maximum number of new entries that an announcement names. */
const MAX_NAMED = 3;

/**
 * Formats the entries that are newer than a sequence number as a sentence for screen readers.
 *
 * @param entries Entries of the log, newest first.
 * @returns an empty text if there are none
 */
export function formatAnnouncement(entries: readonly WatchEvent[], sequence: number): string {
  const added = entries.filter(({ data }) => data.sequence > sequence);
  if (added.length === 0) return '';
  const named = added.slice(0, MAX_NAMED).map(({ type, severity }) => `${EVENT_TITLES[type]} (${severity})`);
  const more = added.length - named.length;
  const count = added.length === 1 ? '1 new event' : `${added.length} new events`;
  return `${count}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
