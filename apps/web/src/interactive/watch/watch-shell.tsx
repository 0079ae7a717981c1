import { formatUsd } from '@touchstone/common';
import { WATCH_DAYS } from '@touchstone/contract';
import { PageFrame } from '@touchstone/ui';
import { UnlockFields } from './unlock-fields.tsx';
import { createWatchOperation, renewWatchOperation } from '@touchstone/contract/operations/watch/operation';

/**
 * Page for the owner of a watch. It has an explanation and a container with the form that opens a watch. In the
 * container, the page script replaces the form by a usable one, and shows the watch. The page is the same for everyone,
 * because only the script receives the data of a watch. The hint below the container is always visible, because a page
 * cannot notice that its script does not run.
 */
export function WatchShell() {
  const create = createWatchOperation;
  const renew = renewWatchOperation;
  return (
    <PageFrame current="watch">
      <h1 className="text-3xl font-bold sm:text-4xl">Your watch</h1>
      <p className="mt-3 max-w-2xl text-ink-soft">
        A watch probes one x402 endpoint every 5 minutes for {WATCH_DAYS} days and reports outages and changes
        of its payment terms. Open a watch with its id and its secret. To watch an endpoint, buy a watch with{' '}
        <a href={`/docs#${create.id}`}>
          {create.method} {create.path}
        </a>
        {create.priceUsd === null ? '' : ` for ${formatUsd(create.priceUsd)}`}.
      </p>
      {/* A form that cannot be used has no cursor of its own. */}
      <div
        id="watch-root"
        data-renewal-price-usd={renew.priceUsd ?? undefined}
        className="has-[>[inert]]:cursor-not-allowed"
      >
        <UnlockFields />
      </div>
      <p className="mt-8 max-w-2xl border-l-4 border-line pl-4 text-ink-soft">
        This page needs JavaScript. If the page does not respond, send{' '}
        <code className="font-mono text-sm">GET /v1/watch/&#123;id&#125;/events</code> with{' '}
        <code className="font-mono text-sm">Authorization: Bearer wsk_…</code>, or use{' '}
        <code className="font-mono text-sm">npx touchstone watch events</code>.
      </p>
    </PageFrame>
  );
}
