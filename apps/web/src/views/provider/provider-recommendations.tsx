import { RECOMMENDATIONS } from '@touchstone/contract';
import type { Provider } from '@touchstone/store';
import { formatCount, RecommendationChip } from '@touchstone/ui';

/** Number of endpoints of a host by recommendation. */
export function ProviderRecommendations({ counts }: { readonly counts: Provider['recommendations'] }) {
  return (
    <section aria-labelledby="recommendations">
      <h2 id="recommendations" className="text-2xl font-bold">
        Recommendations
      </h2>
      <dl className="mt-3 border-b border-line">
        {RECOMMENDATIONS.filter((recommendation) => counts[recommendation] > 0).map((recommendation) => (
          <div
            key={recommendation}
            className="flex items-baseline justify-between border-t border-line py-2.5"
          >
            <dt>
              <RecommendationChip recommendation={recommendation} />
            </dt>
            <dd className="text-lg tabular-nums">{formatCount(counts[recommendation])}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-ink-soft">
        <a href="/methodology">How recommendations are decided</a>
      </p>
    </section>
  );
}
