import type { Ecosystem, EcosystemEvent, Snapshot } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { SearchForm } from '../shared/search-form.tsx';
import { Audiences } from './audiences.tsx';
import { LiveFigures } from './live-figures.tsx';
import { NewestEvents } from './newest-events.tsx';
import { Steps } from './steps.tsx';
import { TopEndpoints } from './top-endpoints.tsx';

/** Number of endpoints and of events on the front page. */
const LIST_LENGTH = 5;

/** Front page: purpose of the service, search, live figures, use by agents, newest events and best endpoints. */
export function Home({
  baseUrl,
  ecosystem,
  best,
  events,
}: {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  readonly ecosystem: Ecosystem;
  /** Best first. */
  readonly best: readonly Snapshot[];
  /** Newest first. */
  readonly events: readonly EcosystemEvent[];
}) {
  return (
    <PageFrame current="home">
      <Hero />
      <LiveFigures ecosystem={ecosystem} />
      <Steps baseUrl={baseUrl} />
      <div className="mt-16 grid gap-x-16 gap-y-16 lg:grid-cols-2">
        <NewestEvents events={events.slice(0, LIST_LENGTH)} />
        {best.length === 0 ? null : <TopEndpoints snapshots={best.slice(0, LIST_LENGTH)} />}
      </div>
      <Audiences baseUrl={baseUrl} />
    </PageFrame>
  );
}

function Hero() {
  return (
    <div className="mx-auto max-w-3xl sm:pt-4 sm:text-center">
      <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">
        Check an x402 endpoint before you pay
      </h1>
      <p className="mt-4 text-lg text-balance text-ink-soft sm:mt-5 sm:text-xl">
        x402 endpoints are APIs that charge for each call. Programs pay them in USDC, without an account.
        Touchstone tests them about every 30 minutes and grades them from A to F, so that you know which to
        pay.
      </p>
      <div className="mx-auto mt-7 max-w-2xl text-left">
        <SearchForm />
      </div>
    </div>
  );
}
