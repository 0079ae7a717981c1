import { WATCH_DAYS } from '@touchstone/contract';
import { formatUsd } from '@touchstone/ui';
import { requireOperation } from '../../operations/require-operation.ts';

/** Purpose and price of a watch of the endpoint, with links to its documentation and to the page of its owner. */
export function WatchOffer() {
  const { id, priceUsd } = requireOperation('/v1/watch-endpoint-30d');
  return (
    <section aria-labelledby="watch" className="mt-12 max-w-3xl">
      <h2 id="watch" className="text-2xl font-bold">
        Alerts
      </h2>
      <p className="mt-2 text-ink-soft">
        A watch probes this endpoint every 5 minutes for {WATCH_DAYS} days
        {priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`}. It reports a changed payment address, price,
        token or network, outages and delistings to your webhooks or chat, and you can poll it.
      </p>
      <p className="mt-2 flex flex-wrap gap-x-6">
        <a href={`/docs#${id}`}>Watch this endpoint</a>
        <a href="/watch">Open your watch</a>
      </p>
    </section>
  );
}
