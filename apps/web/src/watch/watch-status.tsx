import { WATCH_EVENT_TYPES, type Watch } from '@touchstone/contract';
import { Stat, Timestamp } from '@touchstone/ui';
import { use } from 'react';
import { formatDistance } from './shared/format-age.ts';
import { StateMark, type MarkKind } from './shared/state-mark.tsx';
import { NowContext } from './shared/time-with-age.tsx';
import { EVENT_TITLES } from './timeline/event-titles.ts';

const STATES: Readonly<Record<Watch['status'], readonly [MarkKind, string]>> = {
  pending: ['info', 'Pending'],
  active: ['good', 'Active'],
  cancelled: ['off', 'Cancelled'],
  expired: ['off', 'Expired'],
};

/** Interval between two probes of a watched endpoint, in minutes. */
const PROBE_MINUTES = 5;

/** State, end and settings of a watch. */
export function WatchStatus({ watch }: { readonly watch: Watch }) {
  const now = use(NowContext);
  const [kind, word] = STATES[watch.status];
  const isRunning = watch.status === 'active' || watch.status === 'pending';
  const missed = watch.liveness_sensitivity_n;
  return (
    <>
      <dl className="mt-6 grid grid-cols-1 gap-x-8 sm:grid-cols-2 lg:grid-cols-4">
        <Stat label="State" value={<StateMark kind={kind}>{word}</StateMark>} note={watch.watch_id} />
        <Stat
          label={isRunning ? 'Expires' : 'End'}
          value={formatDistance(watch.cancelled_at ?? watch.expires_at, now)}
          note={<TimeOfEnd watch={watch} />}
        />
        <Stat
          label="Sensitivity"
          value={`${missed} missed ${missed === 1 ? 'probe' : 'probes in a row'}`}
          note={`before an outage is reported: about ${missed * PROBE_MINUTES} minutes, with a probe every ${PROBE_MINUTES} minutes`}
        />
        <Stat
          label="Events"
          value={`${watch.events.length} of ${WATCH_EVENT_TYPES.length} types`}
          note={watch.events.map((type) => EVENT_TITLES[type]).join(', ')}
        />
      </dl>
      <p className="mt-4">
        <a href={toPath(watch.endpoint_page)}>Page of the endpoint</a>
      </p>
    </>
  );
}

function TimeOfEnd({ watch }: { readonly watch: Watch }) {
  return (
    <>
      {watch.cancelled_at === null ? null : 'cancelled '}
      <Timestamp iso={watch.cancelled_at ?? watch.expires_at} />
    </>
  );
}

/** Returns the path of a URL of this site, so that the link also works at another address of the same service. */
function toPath(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}
