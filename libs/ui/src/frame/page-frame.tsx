import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';

/**
 * Links in the header. On a phone, the logo replaces the overview, and the footer has the links to the watch and to the
 * page about agents, so that the other links fit one line.
 */
const NAVIGATION_LINKS = [
  { id: 'home', href: '/', label: 'Overview' },
  { id: 'explore', href: '/explore', label: 'Search' },
  { id: 'leaderboard', href: '/trust/leaderboard', label: 'Leaderboard' },
  { id: 'methodology', href: '/methodology', label: 'Methodology' },
  { id: 'watch', href: '/watch', label: 'Watch' },
  { id: 'mcp', href: '/mcp', label: 'Agents' },
  { id: 'docs', href: '/docs', label: 'API' },
] as const;

/** Classes that hide links in the header of narrow screens. A tablet has no space for all links in one line. */
const HIDING_CLASSES: Readonly<Record<string, string>> = {
  home: 'max-sm:hidden',
  watch: 'max-sm:hidden',
  mcp: 'max-lg:hidden',
};

/** Links in the footer: statistics, the page of a watch, and documents for agents and programs. */
const FOOTER_LINKS = [
  { href: '/trust/stats', label: 'Statistics' },
  { href: '/watch', label: 'Your watch' },
  { href: '/mcp', label: 'Connect an agent' },
  { href: '/docs', label: 'API reference' },
  { href: '/openapi.json', label: 'OpenAPI' },
  { href: '/llms.txt', label: 'llms.txt' },
] as const;

/** Id of a page in the header navigation. */
export type NavigationPage = (typeof NAVIGATION_LINKS)[number]['id'];

/**
 * Frame of every page: skip link, header, main landmark and footer.
 *
 * @param props.current Navigation page that is currently shown, if any.
 */
export function PageFrame({
  current,
  children,
}: {
  readonly current?: NavigationPage;
  readonly children: ReactNode;
}) {
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

function Header({ current }: { readonly current: NavigationPage | undefined }) {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-2 px-4 py-3 sm:px-6">
        <a href="/" className="inline-flex items-center gap-3 text-xl font-bold no-underline">
          <Logo className="size-8" />
          Touchstone
        </a>
        <nav aria-label="Main">
          <ul className="flex flex-wrap gap-x-4 max-sm:text-[0.95rem] sm:gap-x-6">
            {NAVIGATION_LINKS.map(({ id, href, label }) => (
              <li key={id} className={HIDING_CLASSES[id]}>
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
          Scores are computed from measurements with one published formula. No language model is involved.
          Names and descriptions of services are unverified claims of their providers.
        </p>
        <p>
          All times are UTC. Prices are as advertised by the endpoints. Latency is measured from one location.
        </p>
        <ul className="flex flex-wrap gap-x-6 gap-y-1">
          {FOOTER_LINKS.map(({ href, label }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
