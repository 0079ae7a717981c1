import { formatCount } from '@touchstone/common';
import { RECOMMENDATIONS, type Recommendation } from '@touchstone/contract';
import type { ReactNode } from 'react';
import type { Snapshot } from '@touchstone/store';
import { Age, Notice, RecommendationChip, Timestamp, describeRecommendation } from '@touchstone/ui';

/** Number of endpoints by recommendation, each with its meaning and a link to its endpoints. */
export function RecommendationCounts(props: {
  readonly counts: Readonly<Record<Recommendation, number>>;
  readonly toHref: (recommendation: Recommendation) => string;
}) {
  return (
    <section aria-labelledby="recommendations">
      <h2 id="recommendations">Recommendations for payers</h2>
      <dl className="mt-4 border-b border-line">
        {RECOMMENDATIONS.map((recommendation) => (
          <div key={recommendation} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-3">
            <dt>
              <RecommendationChip recommendation={recommendation} />
            </dt>
            <dd className="text-right text-lg tabular-nums">
              <a href={props.toHref(recommendation)} className="inline-block px-1">
                {formatCount(props.counts[recommendation])}
              </a>
            </dd>
            <dd className="col-span-2 text-sm text-ink-soft">
              {describeRecommendation(recommendation).meaning}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/**
 * Placeholder that is shown if there are no results.
 *
 * @param props.action Link or form to a page with results.
 */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="rounded-sm border border-stone-line bg-stone px-5 py-8 text-stone-ink sm:px-10 sm:py-10">
      <p className="text-xl font-semibold [overflow-wrap:anywhere]">{title}</p>
      <p className="mt-2 max-w-xl text-stone-soft">{children}</p>
      {action === undefined ? null : <div className="mt-4">{action}</div>}
    </div>
  );
}

/**
 * Notice about values of the URL that have no effect.
 *
 * @param props.children Sentence that states the expected format.
 */
export function IgnoredValues(props: { readonly values: readonly string[]; readonly children?: string }) {
  if (props.values.length === 0) return null;
  return (
    <div className="mt-6 max-w-2xl">
      <Notice title="Part of this address has no effect">
        These values are not valid:{' '}
        <bdi className="font-mono text-sm wrap-anywhere">{props.values.join(', ')}</bdi>. {props.children}
      </Notice>
    </div>
  );
}

/** Age of a list: the time of its newest score. The time of rendering cannot be used, because the page is cached. */
export function NewestScore({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const [newest] = snapshots
    .map(({ computedAt }) => computedAt)
    .sort((one, other) => Date.parse(other) - Date.parse(one));
  if (newest === undefined) return null;
  return (
    <>
      Newest score computed <Timestamp iso={newest} />
      {' · '}
      <Age iso={newest} />
    </>
  );
}
