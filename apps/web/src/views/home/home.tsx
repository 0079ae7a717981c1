import type { Ecosystem, Snapshot } from '@touchstone/store';
import { GradeDistribution, PageFrame } from '@touchstone/ui';
import { EcosystemNumbers } from '../shared/ecosystem-numbers.tsx';
import { HowScoresWork } from './how-scores-work.tsx';
import { SearchForm } from '../shared/search-form.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { TopEndpoints } from './top-endpoints.tsx';

/** Front page: purpose of the service, ecosystem statistics, best endpoints, and a summary of the score formula. */
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
            Check an x402 endpoint before you pay
          </h1>
          <p className="mt-5 max-w-xl text-lg text-ink-soft">
            Touchstone probes x402 endpoints about every 30 minutes. Before you send money, it shows the
            uptime, latency, price and trust score of each endpoint.
          </p>
          <div className="mt-6">
            <SearchForm />
          </div>
          <p className="mt-4 flex flex-wrap gap-x-6">
            <a href="/trust/leaderboard">See the leaderboard</a>
            <a href="/mcp">Connect an agent</a>
            <a href="/watch">Open your watch</a>
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
      <EmptyState title="The first probes are running">
        Touchstone is reading the public directories and probing their endpoints for the first time. Grades
        appear here within an hour.
      </EmptyState>
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
        <a href="/trust/stats">All statistics</a>
      </p>
    </section>
  );
}
