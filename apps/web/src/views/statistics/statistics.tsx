import { RECOMMENDATIONS } from '@touchstone/contract';
import type { Ecosystem } from '@touchstone/store';
import {
  formatCount,
  formatPercent,
  GradeDistribution,
  PageFrame,
  RecommendationChip,
  Stat,
  getRecommendationText,
} from '@touchstone/ui';
import { EcosystemNumbers } from '../shared/ecosystem-numbers.tsx';
import { EmptyState } from '../shared/empty-state.tsx';

/** Statistics of the ecosystem: number of endpoints, grades and recommendations. */
export function Statistics({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  return (
    <PageFrame>
      <h1 className="text-3xl font-bold sm:text-4xl">The x402 ecosystem in numbers</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Statistics of every endpoint in the catalog, by its latest score. Programs get the same figures as
        JSON at this address.
      </p>
      <EcosystemNumbers ecosystem={ecosystem} />
      <Shares ecosystem={ecosystem} />
      {ecosystem.endpoints === 0 ? (
        <div className="mt-12">
          <EmptyState title="No endpoint is graded yet">
            Grades and recommendations appear here after the first probes.
          </EmptyState>
        </div>
      ) : (
        <div className="mt-12 grid items-start gap-10 lg:grid-cols-2 lg:gap-16">
          <section
            aria-label="Grade distribution"
            className="rounded-sm border border-stone-line bg-stone px-5 py-6 sm:px-8"
          >
            <GradeDistribution counts={ecosystem.grades} probedUpTo={ecosystem.lastProbedAt} />
          </section>
          <Recommendations counts={ecosystem.recommendations} />
        </div>
      )}
    </PageFrame>
  );
}

/** Number and share of the endpoints whose latest probe succeeded, and of those whose latest challenge is compliant. */
function Shares({ ecosystem: { endpoints, reachable, compliant } }: { readonly ecosystem: Ecosystem }) {
  if (endpoints === 0) return null;
  const formatShare = (count: number): string =>
    `${formatCount(count)} (${formatPercent((100 * count) / endpoints)})`;
  return (
    <dl className="grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat label="Reachable" value={formatShare(reachable)} note="the latest probe succeeded" />
      <Stat
        label="Compliant"
        value={formatShare(compliant)}
        note="the latest payment challenge has no errors"
      />
    </dl>
  );
}

function Recommendations({ counts }: { readonly counts: Ecosystem['recommendations'] }) {
  return (
    <section aria-labelledby="recommendations">
      <h2 id="recommendations" className="text-2xl font-bold">
        Recommendations for payers
      </h2>
      <dl className="mt-4 border-b border-line">
        {RECOMMENDATIONS.map((recommendation) => (
          <div key={recommendation} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-3">
            <dt>
              <RecommendationChip recommendation={recommendation} />
            </dt>
            <dd className="text-right text-lg tabular-nums">{formatCount(counts[recommendation])}</dd>
            <dd className="col-span-2 text-sm text-ink-soft">
              {getRecommendationText(recommendation).meaning}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
