import type { Provider, Snapshot } from '@touchstone/store';
import {
  formatCount,
  formatPercent,
  formatScore,
  formatUsd,
  GradeMark,
  RecommendationChip,
  ResourceText,
  toPlainText,
} from '@touchstone/ui';
import { NO_PARAMS, toExploreUrl } from '../../explore/explore-params.ts';

/** Endpoints of a host with the best scores, and a link to the rest. */
export function ProviderEndpoints({
  provider: { host, endpoints },
  snapshots,
}: {
  readonly provider: Provider;
  readonly snapshots: readonly Snapshot[];
}) {
  const rest = endpoints - snapshots.length;
  const url = toExploreUrl({ ...NO_PARAMS, host });
  return (
    <section aria-labelledby="endpoints" className="mt-14">
      <h2 id="endpoints" className="text-2xl font-bold">
        {rest > 0 ? `The ${formatCount(snapshots.length)} best endpoints` : 'Endpoints'}
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        Listed endpoints first, by the lower bound of the score range. Names are unverified claims of the
        providers. Uptime is of the last 30 days.
      </p>
      <ol className="mt-4 border-b border-line">
        {snapshots.map((snapshot) => (
          <Endpoint key={snapshot.slug} snapshot={snapshot} />
        ))}
      </ol>
      <p className="mt-4">
        <a href={url}>
          {rest > 0 ? `Explore all ${formatCount(endpoints)} endpoints` : 'Filter and sort these endpoints'}
        </a>
      </p>
    </section>
  );
}

function Endpoint({ snapshot }: { readonly snapshot: Snapshot }) {
  const { slug, resource, serviceName, grade, score, recommendation, uptime30d, listingStatus } = snapshot;
  const name = serviceName === null ? '' : toPlainText(serviceName, 60);
  return (
    <li className="grid grid-cols-[auto_1fr_auto] gap-x-4 gap-y-1 border-t border-line py-3 lg:grid-cols-[auto_1fr_28rem_4rem] lg:items-center">
      <GradeMark grade={grade} className="col-start-1 row-start-1 h-10 w-9" />
      <div className="col-start-2 row-start-1 min-w-0">
        <a href={`/endpoint/${slug}`} className="text-sm">
          <ResourceText resource={formatPath(resource)} />
        </a>
        {name === '' ? null : (
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </p>
        )}
      </div>
      <p className="col-span-2 col-start-2 row-start-2 flex flex-wrap gap-x-5 text-sm lg:col-span-1 lg:col-start-3 lg:row-start-1 lg:grid lg:grid-cols-[8.5rem_1fr_8rem]">
        <RecommendationChip recommendation={recommendation} />
        <span>Uptime {uptime30d === null ? 'not measured' : formatPercent(uptime30d)}</span>
        <span>
          {formatPrice(snapshot)}
          {listingStatus === 'delisted' ? <span className="text-ink-soft"> · Delisted</span> : null}
        </span>
      </p>
      <p className="col-start-3 row-start-1 text-right text-lg tabular-nums lg:col-start-4">
        <span className="sr-only">Score </span>
        {grade === '?' ? <span className="text-sm">none</span> : formatScore(score)}
      </p>
    </li>
  );
}

function formatPrice({ amountUsd, network, templated }: Snapshot): string {
  if (amountUsd === null) return network === null ? 'No price' : 'Not in US dollars';
  return templated ? `${formatUsd(amountUsd)} per item` : formatUsd(amountUsd);
}

/** Returns the part of a URL after the host, because all endpoints of the page have the same host. */
function formatPath(resource: string): string {
  const path = resource.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return path === '' ? '/' : path;
}
