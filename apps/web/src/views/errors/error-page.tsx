import { PageFrame } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { SearchForm } from '../shared/search-form.tsx';

/** Pages that a visitor of a missing page probably needs. */
const WAYS_FORWARD = [
  { href: '/explore', label: 'Explore all endpoints' },
  { href: '/trust/leaderboard', label: 'Best trust scores' },
  { href: '/', label: 'Overview' },
] as const;

/**
 * Frame of every error page: what happened, then the search and links to the main pages.
 *
 * @param props.status HTTP status of the response.
 */
export function ErrorPage({
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
        <h1 className="mt-1 text-3xl font-bold text-balance sm:text-4xl">{title}</h1>
        <p className="mt-3 max-w-2xl text-lg text-stone-soft">{children}</p>
      </div>
      <div className="mt-10">
        <SearchForm />
      </div>
      <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-1">
        {WAYS_FORWARD.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </PageFrame>
  );
}
