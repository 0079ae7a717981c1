import type { Snapshot } from '@touchstone/store';
import { formatDay, Notice } from '@touchstone/ui';

/** Notices for an endpoint that is adopted, delisted, a URL template, free or unverified. They explain the figures below. */
export function EndpointNotices({ snapshot }: { readonly snapshot: Snapshot }) {
  const { listingSource, listingStatus, delistedAt, templated, recommendation } = snapshot;
  return (
    <div className="mt-6 space-y-3 empty:hidden">
      {listingSource === 'adopted' ? (
        <Notice title="Not listed">No directory lists this endpoint. It was added by a paid report.</Notice>
      ) : listingStatus === 'delisted' ? (
        <Notice title={delistedAt === null ? 'Delisted' : `Delisted on ${formatDay(delistedAt)}`}>
          This endpoint is no longer in a public directory. Its score and grade are still computed and shown.
        </Notice>
      ) : null}
      {templated ? (
        <Notice title="This URL is a template">
          The literal URL cannot be paid or probed; substitute a real value for each placeholder. The
          measurements apply to the resolved URL. Price and payTo address may vary by item and do not lower
          the score.
        </Notice>
      ) : null}
      {recommendation === 'free' ? (
        <Notice title="No payment required">
          This endpoint returns data without payment and has never presented a payment challenge. It has no
          grade for that reason. Its score is still shown.
        </Notice>
      ) : null}
      {recommendation === 'unverified' ? (
        <Notice title="Unverified">No probe could be scored yet, so this endpoint has no grade.</Notice>
      ) : null}
    </div>
  );
}
