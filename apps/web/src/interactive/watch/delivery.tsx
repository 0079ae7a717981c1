import { formatCount, formatMs } from '@touchstone/common';
import { WATCH_EVENTS, type Watch, type WatchDestination, numberLabels } from '@touchstone/contract';
import { Button } from '../../page-parts/form-parts.tsx';
import { StateMark } from '../../page-parts/state-mark.tsx';
import { Section, TimeWithAge, QuerySection } from './watch-parts.tsx';
import { toPlainText } from '@touchstone/ui';
import { useState } from 'react';
import { ScrollTable } from '../../page-parts/scroll-table.tsx';
import type { Attempt } from '../trpc/client.ts';
import { useAttempts } from './session.tsx';

/** URLs that the events are sent to, with the state of their delivery. */
export function DestinationSection({ delivery }: Pick<Watch, 'delivery'>) {
  const destinations = [...delivery.webhooks, ...delivery.chats];
  const labels = numberLabels(destinations.map(({ url }) => url));
  return (
    <Section id="destinations" title="Delivery destinations">
      {destinations.length === 0 ? (
        <p className="mt-4 text-ink-soft">
          None. The events are only in the timeline. Add URLs below, or poll the events with a program.
        </p>
      ) : (
        <ul className="mt-4 border-b border-line">
          {destinations.map((destination, index) => (
            <Destination key={index} destination={destination} label={labels[index] ?? ''} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Destination({
  destination,
  label,
}: {
  readonly destination: WatchDestination;
  /** Shortened URL, with a number if another destination has the same shortened URL. */
  readonly label: string;
}) {
  const { channel, pending_events: pending, last_attempt: last } = destination;
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-3 sm:grid-cols-[7rem_1fr_1fr] [overflow-wrap:anywhere]">
      <span>
        <Status destination={destination} />
      </span>
      <span className="min-w-0">
        {CHANNEL_NAMES[channel]} <bdi className="font-mono text-sm">{label}</bdi>
      </span>
      <span className="min-w-0 text-sm text-ink-soft">
        <Explanation destination={destination} /> {formatPending(pending)}
        {last === null ? (
          ' No attempt yet.'
        ) : (
          <>
            {' '}
            Last attempt {last.ok ? 'succeeded' : `failed (${formatCause(last.error)})`}{' '}
            <TimeWithAge iso={last.at} />.
          </>
        )}
      </span>
    </li>
  );
}

function formatPending(count: number): string {
  if (count === 0) return 'No pending events.';
  return `${formatCount(count, 'pending event')}.`;
}

function Status({ destination: { status } }: { readonly destination: WatchDestination }) {
  switch (status) {
    case 'active':
      return <StateMark kind="good">Active</StateMark>;
    case 'failing':
      return <StateMark kind="warn">Failing</StateMark>;
    case 'disabled':
      return <StateMark kind="bad">Disabled</StateMark>;
  }
}

function Explanation({ destination }: { readonly destination: WatchDestination }) {
  const { status, disabled_reason: reason, failing_since: since } = destination;
  if (status === 'disabled') {
    if (reason === 'refused') return 'A file of its host refuses messages of watches.';
    return reason === 'gone'
      ? 'The URL responded that it no longer exists. Enter it again to enable it.'
      : 'No message succeeded for 120 hours. Enter the URL again to enable it.';
  }
  if (since === null) return null;
  return (
    <>
      All messages since <TimeWithAge iso={since} /> failed. They are sent again.
    </>
  );
}

/** Display names of the channels. */
const CHANNEL_NAMES: Readonly<Record<WatchDestination['channel'], string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
};

/** Formats the cause of a failed attempt as text: `http-404` becomes "HTTP status 404", `dns-error` "dns error". */
export function formatCause(error: string | null): string {
  if (error === null) return 'unknown error';
  return error.startsWith('http-') ? `HTTP status ${error.slice(5)}` : error.replaceAll('-', ' ');
}

/** Latest attempts to send events, newest first. */
export function AttemptSection() {
  return (
    <QuerySection id="attempts" title="Delivery attempts" subject="attempts" query={useAttempts()}>
      {(attempts) => <Attempts attempts={attempts} />}
    </QuerySection>
  );
}

/** Number of attempts that are shown at first. */
const FIRST_SHOWN = 10;

/** Columns in the order of their importance, because a phone shows only the first of them at once. */
const COLUMNS = ['Time', 'Result', 'Event', 'Destination', 'Duration', 'Next attempt'];

/** Table of attempts. On a phone it scrolls sideways inside its frame. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (attempts.length === 0) return <p className="mt-4 text-ink-soft">No event has been sent yet.</p>;
  const shown = showsAll ? attempts : attempts.slice(0, FIRST_SHOWN);
  return (
    <>
      <ScrollTable
        label="Table of delivery attempts"
        tableClassName="min-w-[46rem] text-sm"
        columns={COLUMNS.map((title) => [title, 'pr-6 font-semibold text-ink-soft'])}
      >
        {shown.map((attempt) => (
          <AttemptRow key={`${attempt.at} ${attempt.url} ${attempt.event_id}`} attempt={attempt} />
        ))}
      </ScrollTable>
      {attempts.length > shown.length ? (
        <p className="mt-4">
          <Button
            onClick={() => {
              setShowsAll(true);
            }}
          >
            Show {attempts.length - shown.length} older
          </Button>
        </p>
      ) : null}
    </>
  );
}

const CELL = 'py-2 pr-6 align-top';

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { at, type, event_id: eventId, channel, url, next_attempt_at: next } = attempt;
  const sequence = eventId.slice(eventId.lastIndexOf('_') + 1);
  return (
    <tr className="border-b border-line">
      <td className={CELL}>
        <TimeWithAge iso={at} />
      </td>
      <td className={CELL}>
        <Result attempt={attempt} />
      </td>
      <td className={CELL}>
        {WATCH_EVENTS[type].title} <span className="whitespace-nowrap text-ink-soft">no. {sequence}</span>
      </td>
      <td className={CELL}>
        {CHANNEL_NAMES[channel]} <bdi className="font-mono [overflow-wrap:anywhere]">{url}</bdi>
      </td>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>{formatMs(attempt.duration_ms)}</td>
      <td className={CELL}>{next === null ? 'none' : <TimeWithAge iso={next} isPlanned />}</td>
    </tr>
  );
}

function Result({
  attempt: { ok, http_status: status, error, phase, reply },
}: {
  readonly attempt: Attempt;
}) {
  return (
    <>
      {ok ? <StateMark kind="good">Delivered</StateMark> : <StateMark kind="bad">Failed</StateMark>}
      <span className="block">
        {status === null ? formatCause(error) : `HTTP status ${status}`}
        {ok || phase === null || phase === 'response' ? '' : `, in the phase ${phase}`}
      </span>
      {reply === null || reply === '' ? null : (
        <details>
          <summary className="cursor-pointer text-ink-soft">Response of the receiver</summary>
          <bdi className="block max-w-xs font-mono text-xs [overflow-wrap:anywhere]">
            {toPlainText(reply)}
          </bdi>
        </details>
      )}
    </>
  );
}
