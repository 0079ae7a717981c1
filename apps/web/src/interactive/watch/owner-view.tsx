import { WATCH_EVENTS, WATCH_EVENT_TYPES, type Watch } from '@touchstone/contract';
import { formatDuration } from '@touchstone/common';
import { ResourceText, Stat, Timestamp } from '@touchstone/ui';
import { use, useEffect, useRef } from 'react';
import { useWatch } from './session.tsx';
import { toCallError } from '../trpc/client.ts';
import { AttemptSection, DestinationSection } from './delivery.tsx';
import { EditSection } from './edit-section.tsx';
import { CancelSection, RenewalSection } from './renewal-section.tsx';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import { type MarkKind, StateMark } from '../../page-parts/state-mark.tsx';
import { NowContext, formatDistance, useClock } from './watch-parts.tsx';
import { TimelineSection } from './timeline.tsx';

interface OwnerViewProps {
  /** State of the watch at the time when the page was opened. */
  readonly first: Watch;
  readonly renewalPriceUsd: string | null;
  readonly onLock: () => void;
}

/** Data and settings of an opened watch, for its owner. The data is refreshed every 15 seconds. */
export function OwnerView({ first, renewalPriceUsd, onLock }: OwnerViewProps) {
  const { data: watch, error, dataUpdatedAt } = useWatch(first);
  const now = useClock();
  // An expired watch can still be renewed, so the owner can still change its settings or cancel it.
  const isOpen = watch.status === 'active' || watch.status === 'expired';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <NowContext value={now}>
      <div className="mt-8 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <h2 ref={heading} tabIndex={-1} className="min-w-0">
          Watch of <ResourceText resource={watch.endpoint} />
        </h2>
        <Button onClick={onLock}>Lock and remove the secret</Button>
      </div>
      {error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>
            The last refresh failed: {toCallError(error).text} The data below is{' '}
            {formatDuration(now - dataUpdatedAt)} old. The page repeats the request every 15 seconds.
          </ErrorMessage>
        </div>
      )}
      <WatchStatus watch={watch} />
      <TimelineSection />
      <DestinationSection delivery={watch.delivery} />
      <AttemptSection />
      {isOpen ? <EditSection watch={watch} /> : null}
      <RenewalSection watch={watch} priceUsd={renewalPriceUsd} />
      {isOpen ? (
        // The focused button is gone after the cancellation, so the heading gets the focus.
        <CancelSection
          isExpired={watch.status === 'expired'}
          onCancelled={() => {
            heading.current?.focus();
          }}
        />
      ) : null}
    </NowContext>
  );
}

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
          note={watch.events.map((type) => WATCH_EVENTS[type].title).join(', ')}
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
