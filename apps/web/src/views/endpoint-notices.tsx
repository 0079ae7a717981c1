import type { Snapshot } from '@touchstone/store';
import { formatDay, Notice } from '@touchstone/ui';

/** What changes how the rest of the page is to be read: delisted, templated, free or unverified. */
export function EndpointNotices({ snapshot }: { readonly snapshot: Snapshot }) {
  const { listingStatus, delistedAt, templated, recommendation } = snapshot;
  return (
    <div className="mt-6 space-y-3 empty:hidden">
      {listingStatus === 'delisted' ? (
        <Notice title={delistedAt === null ? 'Delisted' : `Delisted on ${formatDay(delistedAt)}`}>
          It is no longer in a public directory. Its score and grade are still computed and shown.
        </Notice>
      ) : null}
      {templated ? (
        <Notice title="This URL is a template">
          The literal URL cannot be paid or probed; substitute a real value for each placeholder. What is
          measured applies to the resolved URL, and price and payee may vary by item without counting against
          it.
        </Notice>
      ) : null}
      {recommendation === 'free' ? (
        <Notice title="Nothing to pay">
          It answers plain requests with data and has never presented a payment challenge. It is ungraded by
          design; the score is shown all the same.
        </Notice>
      ) : null}
      {recommendation === 'unverified' ? (
        <Notice title="Unverified">No probe of it could be scored, so there is nothing to grade yet.</Notice>
      ) : null}
    </div>
  );
}
