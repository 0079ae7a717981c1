import { formatDay } from '@touchstone/common';
import type { MaintenanceWindow, ProviderNotes, Statement } from '@touchstone/store';
import { Timestamp, toPlainText } from '@touchstone/ui';
import { Section } from './section.tsx';

interface NotesProps {
  /** Announcements of the provider; null if no provider has claimed the host. */
  readonly notes: ProviderNotes | null;
}

/** Time since which the provider has proven control of the host. Shows nothing without a claim. */
export function ClaimedLine({ claimedSince }: { readonly claimedSince: string | undefined }) {
  if (claimedSince === undefined) return null;
  return (
    <p className="mt-1 text-sm text-ink-soft">
      Claimed by its provider since {formatDay(claimedSince)}. A claim proves control of the host and changes
      no score.
    </p>
  );
}

/** Words of the provider, without links, because their target would be a recommendation of this page. */
export function ProviderWords({ text }: { readonly text: string }) {
  return (
    <q className="[overflow-wrap:anywhere]">
      <bdi>{toPlainText(text)}</bdi>
    </q>
  );
}

/** Statements of the provider about flags and compliance rules. Statements about events are beside these events. */
export function ProviderStatements({
  notes,
  eventIds,
}: NotesProps & { readonly eventIds: readonly string[] }) {
  const statements = notes?.statements.filter(({ subject }) => !eventIds.includes(subject)) ?? [];
  if (statements.length === 0) return null;
  return (
    <Section id="statements" title="What the provider says">
      <p className="max-w-3xl text-sm text-ink-soft">
        These are the words of the provider. Touchstone does not check them, and they change no score.
      </p>
      <dl className="max-w-3xl">
        {statements.map((statement) => (
          <div key={statement.subject} className="border-line py-1 not-first:border-t">
            <dt className="text-sm text-ink-soft">
              {/^[0-9]+$/.test(statement.subject) ? (
                'About an earlier event'
              ) : (
                <>
                  About <code>{toPlainText(statement.subject, 64)}</code>
                </>
              )}
              {`, stated on ${formatDay(statement.statedAt)}`}
            </dt>
            <dd>
              <ProviderWords text={statement.text} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Statement of the provider about an event. Shows nothing without a statement. */
export function EventStatement({ statement }: { readonly statement: Statement | undefined }) {
  if (statement === undefined) return null;
  return (
    <p className="text-sm">
      <span className="text-ink-soft">The provider stated on {formatDay(statement.statedAt)}: </span>
      <ProviderWords text={statement.text} />
    </p>
  );
}

/** Announced maintenance windows, newest first. Shows nothing without a window. */
export function MaintenanceList({ windows }: { readonly windows: readonly MaintenanceWindow[] }) {
  if (windows.length === 0) return null;
  return (
    <div className="mt-2 max-w-3xl text-sm">
      <h3 className="text-base font-semibold">Announced maintenance</h3>
      <p className="text-ink-soft">
        The provider announced it before the start. Probes that failed during maintenance still count toward
        uptime.
      </p>
      <ul>
        {windows.toReversed().map((window) => (
          <li key={`${window.startsAt} ${window.endsAt} ${window.text}`} className="py-0.5">
            <Timestamp iso={window.startsAt} /> to <Timestamp iso={window.endsAt} />:{' '}
            <ProviderWords text={window.text} />{' '}
            <span className="text-ink-soft">Announced on {formatDay(window.announcedAt)}.</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the maintenance window that contains a time; undefined without such a window. */
export function findMaintenance(notes: ProviderNotes | null, at: string): MaintenanceWindow | undefined {
  const time = Date.parse(at);
  return notes?.maintenance.find(
    ({ startsAt, endsAt }) => Date.parse(startsAt) <= time && time < Date.parse(endsAt),
  );
}
