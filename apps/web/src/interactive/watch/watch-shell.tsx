import { WATCH_DAYS } from '@touchstone/contract';
import { renewWatchOperation } from '@touchstone/contract/operations/watch/operation';
import { PageFrame } from '@touchstone/ui';
import { formatCliCommand } from '../../operations/documents/cli-command.ts';
import { CopyScript, InlineCommand } from '../../page-parts/code-block.tsx';
import { UnlockFields } from './unlock-fields.tsx';
import { WatchLanding } from './watch-landing.tsx';

/**
 * Page of watches: the offer of a watch, and a container with the form that opens a watch. In the container, the page
 * script replaces the form by a usable one, and shows the watch. The offer is visible while the container has the form.
 * The page is the same for everyone, because only the script receives the data of a watch. The other ways to read the
 * alerts are always visible, because a page cannot notice that its script does not run.
 *
 * @param props.baseUrl Public origin of the service.
 * @param props.resource URL of the endpoint in the command that buys a watch.
 */
export function WatchShell({ baseUrl, resource }: { readonly baseUrl: string; readonly resource: string }) {
  return (
    <PageFrame current="watch">
      <h1>Watch an endpoint</h1>
      <div className="group/watch">
        <div className="hidden group-has-[#watch-root>form]/watch:block">
          <p className="mt-3 max-w-2xl text-lg text-ink-soft">
            Learn within minutes when an x402 endpoint changes its payTo address or price, or goes down. A
            watch probes the endpoint every 5 minutes for {WATCH_DAYS} days.{' '}
            <a href="#open">Open a watch that you have</a>
          </p>
        </div>
        <div className="gap-x-12 lg:group-has-[#watch-root>form]/watch:grid lg:grid-cols-2">
          <div className="mt-8 hidden min-w-0 group-has-[#watch-root>form]/watch:block">
            <WatchLanding baseUrl={baseUrl} resource={resource} />
          </div>
          <div id="open" className="min-w-0 scroll-mt-6">
            <h2 className="mt-8 hidden group-has-[#watch-root>form]/watch:block">Your watch</h2>
            {/* A form that cannot be used has no cursor of its own. */}
            <div
              id="watch-root"
              data-renewal-price-usd={renewWatchOperation.priceUsd ?? undefined}
              className="has-[>[inert]]:cursor-not-allowed"
            >
              <UnlockFields />
            </div>
            <p className="mt-8 max-w-2xl border-l-4 border-line pl-4 text-ink-soft">
              Without this form (it needs JavaScript), read the alerts with{' '}
              <code className="font-mono text-sm">GET /v1/watch/&#123;id&#125;/events</code> and{' '}
              <code className="font-mono text-sm">Authorization: Bearer wsk_…</code>, or with{' '}
              <InlineCommand code={formatCliCommand(baseUrl, ['watch', 'events', 'ID'])} />.
            </p>
          </div>
        </div>
      </div>
      <CopyScript />
    </PageFrame>
  );
}
