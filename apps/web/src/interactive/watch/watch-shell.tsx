import { WATCH_DAYS } from '@touchstone/contract';
import { formatUsd, PageFrame } from '@touchstone/ui';
import { UnlockFields } from './unlock-fields.tsx';
import { createWatchOperation, renewWatchOperation } from '@touchstone/contract/operations/watch/operation';

/**
 * Page for the owner of a watch. It has an explanation and a container with the form that opens a watch. In the
 * container, the page script replaces the form by a usable one, and shows the watch. The page is the same for everyone, because only the script receives the data of a watch.
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
      <noscript>
        <p className="mt-6 border-l-4 border-accent bg-panel px-4 py-3">
          This page needs JavaScript, which is not available here. Without it, send{' '}
          <code className="font-mono text-sm">GET /v1/watch/&#123;id&#125;/events</code> with{' '}
          <code className="font-mono text-sm">Authorization: Bearer wsk_…</code>, or use{' '}
          <code className="font-mono text-sm">npx touchstone watch events</code>.
        </p>
      </noscript>
      <div id="watch-root" data-renewal-price-usd={renew.priceUsd ?? undefined}>
        <UnlockFields />
      </div>
    </PageFrame>
  );
}
