import type { Provider, Snapshot } from '@touchstone/store';
import { GradeDistribution, PageFrame } from '@touchstone/ui';
import { ProviderEndpoints } from './provider-endpoints.tsx';
import { ProviderFigures } from './provider-figures.tsx';
import { ProviderRecommendations } from './provider-recommendations.tsx';

/** Page of a host: figures of all its endpoints, and the endpoints with the best scores. */
export function ProviderView({
  provider,
  snapshots,
}: {
  readonly provider: Provider;
  /** Best first. */
  readonly snapshots: readonly Snapshot[];
}) {
  return (
    <PageFrame>
      <Breadcrumb host={provider.host} />
      <h1 className="mt-3 text-3xl font-bold [overflow-wrap:anywhere] sm:text-4xl">
        <bdi>{provider.host}</bdi>
      </h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        {provider.endpoints === 1
          ? 'Figures of the only x402 endpoint of this host, from its latest score.'
          : 'Figures of all x402 endpoints of this host, from the latest score of each.'}{' '}
        Several providers can share a host.
      </p>
      <ProviderFigures provider={provider} />
      <div className="mt-10 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[1.25fr_1fr]">
        <section
          aria-label="Grade distribution"
          className="rounded-sm border border-stone-line bg-stone px-5 py-6 sm:px-8"
        >
          <GradeDistribution counts={provider.grades} probedUpTo={null} />
        </section>
        <ProviderRecommendations counts={provider.recommendations} />
      </div>
      <ProviderEndpoints provider={provider} snapshots={snapshots} />
    </PageFrame>
  );
}

function Breadcrumb({ host }: { readonly host: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-sm text-ink-soft">
      <ol className="flex flex-wrap gap-x-2">
        <li>
          <a href="/">Touchstone</a> <span aria-hidden="true">/</span>
        </li>
        <li>
          <a href="/explore">Explore</a> <span aria-hidden="true">/</span>
        </li>
        <li aria-current="page" className="max-w-full truncate">
          <bdi>{host}</bdi>
        </li>
      </ol>
    </nav>
  );
}
