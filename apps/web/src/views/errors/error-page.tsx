import { PageFrame } from '@touchstone/ui';
import type { ReactNode } from 'react';

/** Pages that a visitor of a missing page probably needs. */
const WAYS_FORWARD = [
  { href: '/explore', label: 'Explore all endpoints' },
  { href: '/trust/leaderboard', label: 'Leaderboard' },
  { href: '/', label: 'Overview' },
] as const;

/**
 * Frame of every error page: what happened, then links to the main pages.
 *
 * @param props.status HTTP status of the response.
 */
function ErrorPage({
  status,
  title,
  children,
}: {
  readonly status: number;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <PageFrame>
      <div className="rounded-sm border border-stone-line bg-stone px-5 py-8 text-stone-ink sm:px-10 sm:py-12">
        <p className="text-stone-soft">Status {status}</p>
        <h1 className="mt-1">{title}</h1>
        <p className="mt-3 max-w-2xl text-lg text-stone-soft">{children}</p>
      </div>
      <ul className="mt-6 flex flex-wrap gap-x-6">
        {WAYS_FORWARD.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className="inline-block py-2.5">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </PageFrame>
  );
}

/** Page that replaces the page of every removed endpoint. */
export function Gone() {
  return (
    <ErrorPage status={410} title="This endpoint was removed">
      Touchstone no longer monitors this endpoint and has no current score of it. Search for another endpoint,
      or for another URL of the same host.
    </ErrorPage>
  );
}

/** Page that replaces the result of a search while too many searches wait. */
export function SearchBusy() {
  return (
    <ErrorPage status={429} title="Too many searches are waiting">
      The service did not run your search. Reload the page in a few seconds to repeat it. All other pages work
      as usual.
    </ErrorPage>
  );
}

/** Not-found page of all unknown URLs. */
export function NotFound() {
  return (
    <ErrorPage status={404} title="Page not found">
      There is no page at this address. An endpoint has a page if a public directory listed it or if a report
      on it was bought.
    </ErrorPage>
  );
}

/** Error page that replaces a page that cannot be rendered. */
export function Unavailable() {
  return (
    <ErrorPage status={500} title="This page is temporarily unavailable">
      The service could not read its measurements. This is a fault of the service, not of your request. It
      does not affect the score of any endpoint. Reload the page in a minute.
    </ErrorPage>
  );
}
