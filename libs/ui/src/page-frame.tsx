import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';

const PLACES = [
  { id: 'home', href: '/', label: 'Overview' },
  { id: 'leaderboard', href: '/trust/leaderboard', label: 'Leaderboard' },
  { id: 'methodology', href: '/methodology', label: 'Methodology' },
  { id: 'docs', href: '/docs', label: 'API' },
] as const;

/** What programs read, and the numbers that no other page has a link to. */
const REFERENCES = [
  { href: '/trust/stats', label: 'Statistics' },
  { href: '/docs', label: 'API reference' },
  { href: '/openapi.json', label: 'OpenAPI' },
  { href: '/llms.txt', label: 'llms.txt' },
] as const;

/** The pages the header leads to. */
export type Place = (typeof PLACES)[number]['id'];

/**
 * What every page stands in: a link past the header, the header, the main landmark and the footer.
 *
 * @param props.current The header's own page, where the reader is on one.
 */
export function PageFrame({ current, children }: { readonly current?: Place; readonly children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:bg-panel focus:px-4 focus:py-2"
      >
        Skip to the content
      </a>
      <Header current={current} />
      <main id="main" className="mx-auto w-full max-w-7xl px-4 py-8 sm:px-6 sm:py-12">
        {children}
      </main>
      <Footer />
    </>
  );
}

function Header({ current }: { readonly current: Place | undefined }) {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-2 px-4 py-3 sm:px-6">
        <a href="/" className="inline-flex items-center gap-3 text-xl font-bold no-underline">
          <Mark className="size-8" />
          Touchstone
        </a>
        <nav aria-label="Main">
          <ul className="flex flex-wrap gap-x-6">
            {PLACES.map(({ id, href, label }) => (
              <li key={id}>
                <a
                  href={href}
                  aria-current={id === current ? 'page' : undefined}
                  className="inline-block py-2 no-underline decoration-2 hover:underline aria-[current=page]:underline aria-[current=page]:decoration-gold"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer className="mt-12 border-t border-line">
      <div className="mx-auto max-w-7xl space-y-2 px-4 py-8 text-sm text-ink-soft sm:px-6">
        <p>
          Scores are computed from measurements by a published formula, the same for everyone; no language
          model takes part. Names and descriptions of services are their providers’ unverified claims.
        </p>
        <p>
          All times are UTC. Prices are what endpoints advertise; latency is measured from one place in the
          EU.
        </p>
        <ul className="flex flex-wrap gap-x-6 gap-y-1">
          {REFERENCES.map(({ href, label }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
