import type { Snapshot } from '@touchstone/store';
import { formatScore, GradeMark, RecommendationChip, ResourceText } from '@touchstone/ui';
import { NewestScore } from '../shared/newest-score.tsx';

/** First endpoints of the leaderboard, shown on the front page. */
export function TopEndpoints({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  return (
    <section aria-labelledby="top">
      <h2 id="top" className="text-2xl font-bold">
        Best trust scores
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        Ordered by the lower bound of the score range. <NewestScore snapshots={snapshots} />
      </p>
      <ol className="mt-4 border-b border-line">
        {snapshots.map(({ slug, resource, grade, score, recommendation }) => (
          <li key={slug} className="flex items-center gap-4 border-t border-line py-3">
            <GradeMark grade={grade} className="h-10 w-9 shrink-0" />
            <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
              <a href={`/endpoint/${slug}`} className="min-w-0 text-sm max-sm:w-full">
                <ResourceText resource={resource.replace(/^https:\/\//, '')} />
              </a>
              <RecommendationChip recommendation={recommendation} />
            </div>
            <span className="w-14 text-right text-lg tabular-nums">
              <span className="sr-only">Score </span>
              {formatScore(score)}
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-4">
        <a href="/trust/leaderboard">Full leaderboard</a>
      </p>
    </section>
  );
}
