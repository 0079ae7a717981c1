import type { Ecosystem, Snapshot } from '@touchstone/store';
import { GradeDistribution, PageFrame } from '@touchstone/ui';
import { EcosystemNumbers } from './ecosystem-numbers.tsx';
import { HowScoresWork } from './how-scores-work.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { TopEndpoints } from './top-endpoints.tsx';

/** The overview: what this is, the ecosystem in numbers, the best endpoints, and how the score comes about. */
export function Home({
  ecosystem,
  best,
}: {
  readonly ecosystem: Ecosystem;
  /** Best first. */
  readonly best: readonly Snapshot[];
}) {
  return (
    <PageFrame current="home">
      <div className="grid items-start gap-10 lg:grid-cols-[1.1fr_1fr] lg:gap-16">
        <div>
          <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">
            Know what an endpoint is worth before you pay it
          </h1>
          <p className="mt-5 max-w-xl text-lg text-ink-soft">
            Touchstone watches x402 endpoints around the clock and says, before the money moves, whether they
            deserve it.
          </p>
          <p className="mt-6">
            <a
              href="/trust/leaderboard"
              className="inline-block bg-ink px-5 py-3 font-semibold text-ground no-underline hover:bg-accent hover:text-ground"
            >
              See the leaderboard
            </a>
          </p>
        </div>
        <Grades ecosystem={ecosystem} />
      </div>
      <Numbers ecosystem={ecosystem} />
      {best.length === 0 ? null : <TopEndpoints snapshots={best.slice(0, 5)} />}
      <HowScoresWork />
    </PageFrame>
  );
}

function Grades({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  if (ecosystem.endpoints === 0) {
    return (
      <NothingYet title="The first probes are running">
        Endpoints from the public directories are being read and probed for the first time. Grades appear here
        within the hour.
      </NothingYet>
    );
  }
  return (
    <section
      aria-label="Grade distribution"
      className="rounded-sm border border-stone-line bg-stone px-5 py-6 sm:px-8"
    >
      <GradeDistribution counts={ecosystem.grades} probedUpTo={ecosystem.lastProbedAt} />
    </section>
  );
}

function Numbers({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  return (
    <section aria-labelledby="numbers" className="mt-16">
      <h2 id="numbers" className="text-2xl font-bold">
        The ecosystem in numbers
      </h2>
      <EcosystemNumbers ecosystem={ecosystem} />
      <p className="mt-4">
        <a href="/trust/stats">All the statistics</a>
      </p>
    </section>
  );
}
