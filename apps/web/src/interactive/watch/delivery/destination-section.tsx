import { type Watch, type WatchDestination, numberLabels } from '@touchstone/contract';
import { Section } from '../shared/controls.tsx';
import { StateMark } from '../shared/state-mark.tsx';
import { TimeWithAge } from '../shared/time-with-age.tsx';

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
  /** Shortened URL, with a number if another destination has the same. */
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
  return count === 1 ? '1 pending event.' : `${count} pending events.`;
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

/** Names of the channels, for people. */
export const CHANNEL_NAMES: Readonly<Record<WatchDestination['channel'], string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
};

/** Formats the cause of a failed attempt for people: `http-404` becomes "HTTP status 404", `dns-error` "dns error". */
export function formatCause(error: string | null): string {
  if (error === null) return 'unknown error';
  return error.startsWith('http-') ? `HTTP status ${error.slice(5)}` : error.replaceAll('-', ' ');
}
