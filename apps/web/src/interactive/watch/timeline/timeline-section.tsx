import { WATCH_EVENTS, type WatchEvent } from '@touchstone/contract';
import { useState } from 'react';
import { type WatchLog, useLog } from '../api/session.tsx';
import { toCallError } from '../api/watch-client.ts';
import { Button, ErrorMessage, Section } from '../shared/controls.tsx';
import { TimelineEntry } from './timeline-entry.tsx';

/** Events of the watch, newest first. */
export function TimelineSection() {
  const { data: log, error, isPending } = useLog();
  return (
    <Section id="timeline" title="Timeline">
      {isPending ? (
        <p role="status" className="mt-4 text-ink-soft">
          Loading the events…
        </p>
      ) : null}
      {error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>The events could not be read: {toCallError(error).text}</ErrorMessage>
        </div>
      )}
      {log === undefined ? null : <Timeline log={log} />}
    </Section>
  );
}

/** Number of entries that are shown at first, and that each click adds. */
const PAGE_SIZE = 50;

/** Entries of a log, and an announcement of new ones for screen readers. */
export function Timeline({ log: { entries } }: { readonly log: Pick<WatchLog, 'entries'> }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  const newest = entries[0]?.data.sequence ?? 0;
  const [announced, setAnnounced] = useState({ newest, text: '' });
  if (newest > announced.newest) {
    setAnnounced({ newest, text: formatAnnouncement(entries, announced.newest) });
  }
  const hidden = entries.length - shown;
  return (
    <>
      <p role="status" className="sr-only">
        {announced.text}
      </p>
      {entries.length === 0 ? (
        <p className="mt-4 text-ink-soft">No events yet. The page reads new events every 15 seconds.</p>
      ) : (
        <ol className="mt-4 border-b border-line">
          {entries.slice(0, shown).map((entry) => (
            <TimelineEntry key={entry.event_id} entry={entry} />
          ))}
        </ol>
      )}
      {hidden > 0 ? (
        <p className="mt-4">
          <Button
            onClick={() => {
              setShown(shown + PAGE_SIZE);
            }}
          >
            Show {Math.min(hidden, PAGE_SIZE)} older of {hidden}
          </Button>
        </p>
      ) : null}
    </>
  );
}

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
  const named = added
    .slice(0, MAX_NAMED)
    .map(({ type, severity }) => `${WATCH_EVENTS[type].title} (${severity})`);
  const more = added.length - named.length;
  const count = added.length === 1 ? '1 new event' : `${added.length} new events`;
  return `${count}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
