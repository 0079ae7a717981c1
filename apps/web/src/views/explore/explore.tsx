import { PageFrame } from '@touchstone/ui';
import { MAX_MATCHES, MAX_QUERY_LENGTH } from '../../explore/search-query.ts';
import type { EndpointMatch } from '../../trpc/search-router.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { SearchForm } from '../shared/search-form.tsx';
import { MatchList } from './match-list.tsx';

interface ExploreProps {
  /** Normalized search query; empty if the visitor has not searched yet. */
  readonly query: string;
  /** Endpoints that match the query, best first. */
  readonly matches: readonly EndpointMatch[];
}

/** Search page: the form, and the endpoints that match the query. */
export function Explore({ query, matches }: ExploreProps) {
  return (
    <PageFrame current="explore">
      <h1 className="text-3xl font-bold sm:text-4xl">Find an x402 endpoint</h1>
      <div className="mt-6">
        <SearchForm query={query.slice(0, MAX_QUERY_LENGTH)} />
      </div>
      <section aria-label="Search result" className="mt-10">
        <Result query={query} matches={matches} />
      </section>
    </PageFrame>
  );
}

function Result({ query, matches }: ExploreProps) {
  if (query === '') {
    return (
      <p className="max-w-2xl text-ink-soft">
        The search finds endpoints also by a part of their host and with spelling mistakes. To see the best
        scores instead, open the <a href="/trust/leaderboard">leaderboard</a>.
      </p>
    );
  }
  if (query.length > MAX_QUERY_LENGTH) {
    return (
      <EmptyState title="The search text is too long">
        Use at most {MAX_QUERY_LENGTH} characters. To find an endpoint by its URL, leave out the query
        parameters of the URL.
      </EmptyState>
    );
  }
  return matches.length === 0 ? <NoMatch query={query} /> : <Matches query={query} matches={matches} />;
}

function NoMatch({ query }: { readonly query: string }) {
  return (
    <EmptyState
      title={
        <span className="[overflow-wrap:anywhere]">
          No endpoint found for “<bdi>{query}</bdi>”
        </span>
      }
    >
      Check the spelling, or search for a part of the host or for one word. An endpoint that no public
      directory lists is added by its first paid <a href="/docs#getTrustReport">trust report</a>.
    </EmptyState>
  );
}

function Matches({ query, matches }: ExploreProps) {
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        {formatCount(matches.length)} for “<bdi>{query}</bdi>”
        {matches.length === 1 ? '.' : ', best match first.'}
      </p>
      <p className="mt-1 text-sm text-ink-soft">
        Names and descriptions are unverified claims of the providers. Uptime is of the last 30 days. Prices
        are per call and as advertised.
      </p>
      <MatchList matches={matches} />
    </>
  );
}

function formatCount(count: number): string {
  if (count === MAX_MATCHES) return `Top ${MAX_MATCHES} endpoints`;
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}
