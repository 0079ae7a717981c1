import type { Snapshot } from '@touchstone/store';
import { EndpointTable, PageFrame } from '@touchstone/ui';
import { endpointRow } from '../endpoint-row.ts';
import { NewestScore } from './newest-score.tsx';
import { NothingYet } from './nothing-yet.tsx';

/** The best-scored endpoints, best first. */
export function Leaderboard({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  return (
    <PageFrame current="leaderboard">
      <h1 className="text-3xl font-bold sm:text-4xl">Leaderboard</h1>
      <p className="mt-3 mb-8 max-w-2xl text-lg text-ink-soft">
        The best-scored x402 endpoints. Each is graded and listed, with a confidence of at least 0.50 and no
        error flag against it.
      </p>
      {snapshots.length === 0 ? (
        <NothingYet title="No endpoint qualifies yet">
          It fills as soon as endpoints have been probed often enough for a confidence of 0.50.
        </NothingYet>
      ) : (
        <EndpointTable
          rows={snapshots.map(endpointRow)}
          caption={
            <>
              Top {snapshots.length} by trust score, 0 to 100. <NewestScore snapshots={snapshots} />
            </>
          }
        />
      )}
    </PageFrame>
  );
}
