import type { Watch } from '@touchstone/contract';
import { formatDuration, ResourceText } from '@touchstone/ui';
import { useEffect, useRef } from 'react';
import { toCallError } from './api/call-error.ts';
import { useWatch } from './api/session.tsx';
import { AttemptSection } from './delivery/attempt-section.tsx';
import { DestinationSection } from './delivery/destination-section.tsx';
import { CancelSection } from './settings/cancel-section.tsx';
import { EditSection } from './settings/edit-section.tsx';
import { RenewalSection } from './settings/renewal-section.tsx';
import { Button, ErrorMessage } from './shared/controls.tsx';
import { NowContext, useClock } from './shared/time-with-age.tsx';
import { TimelineSection } from './timeline/timeline-section.tsx';
import { WatchStatus } from './watch-status.tsx';

interface OwnerViewProps {
  /** State of the watch that opened the page. */
  readonly first: Watch;
  readonly renewalPriceUsd: string | null;
  readonly onLock: () => void;
}

/** Everything that the owner of an opened watch sees and can change. It is refreshed every 15 seconds. */
export function OwnerView({ first, renewalPriceUsd, onLock }: OwnerViewProps) {
  const { data: watch, error, dataUpdatedAt } = useWatch(first);
  const now = useClock();
  // An expired watch can be renewed, so its settings can be changed, and its renewal can be prevented.
  const isOpen = watch.status === 'active' || watch.status === 'expired';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <NowContext value={now}>
      <div className="mt-8 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 text-xl font-semibold sm:text-2xl">
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
