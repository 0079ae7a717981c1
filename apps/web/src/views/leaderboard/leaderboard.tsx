import type { ListedSnapshot } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { ComparableList } from '../../page-parts/comparable-list.tsx';
import { EmptyState, NewestScore } from '../../page-parts/list-parts.tsx';

/** Leaderboard page: endpoints by the lower bound of their score range, best first. */
export function Leaderboard({ snapshots }: { readonly snapshots: readonly ListedSnapshot[] }) {
  return (
    <PageFrame current="leaderboard">
      <h1>Leaderboard</h1>
      <p className="mt-3 mb-8 max-w-2xl text-lg text-ink-soft">
        The x402 endpoints with the best measured quality. Each one is graded, listed in a public directory,
        has a confidence of at least 0.50 of 1, and has no error flag. The order is by the lower bound of the{' '}
        <a href="/methodology#range">score range</a>, in which everything that was not measured counts as 0,
        then by score. So an endpoint can rank below one with a lower score, if less of it was measured.
      </p>
      {snapshots.length === 0 ? (
        <EmptyState title="No endpoint qualifies yet" action={<a href="/explore">Explore all endpoints</a>}>
          An endpoint appears here after enough probes for a confidence of 0.50 of 1.
        </EmptyState>
      ) : (
        <>
          <p className="mb-4 text-ink-soft">
            The first {snapshots.length} by the lower bound of the score range.{' '}
            <NewestScore snapshots={snapshots} />
          </p>
          <ComparableList endpoints={snapshots} sortedBy="score" isRanked />
          <p className="mt-6">
            <a href="/explore">Explore all endpoints</a>, with filters by network, grade, price and tag.
            Programs get the leaderboard as <a href="/trust/leaderboard.json">JSON</a>.
          </p>
        </>
      )}
    </PageFrame>
  );
}
