import { PageFrame } from '@touchstone/ui';

/** Not-found page of all unknown URLs. */
export function NotFound() {
  return (
    <PageFrame>
      <div className="max-w-2xl space-y-4 py-8">
        <h1 className="text-3xl font-bold text-balance sm:text-4xl">Page not found</h1>
        <p className="text-lg text-ink-soft">
          There is no page at this address. An endpoint has a page once it is listed in a public directory.
        </p>
        <p>
          See <a href="/trust/leaderboard">the best-scored endpoints</a> or <a href="/">the overview</a>.
        </p>
      </div>
    </PageFrame>
  );
}
