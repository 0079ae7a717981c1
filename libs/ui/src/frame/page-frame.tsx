import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { HeaderSearch } from './header-search.tsx';

/**
 * Frame of every page: header, main landmark and footer.
 *
 * @param props.current Navigation page that is currently shown, if any.
 * @param props.hasSearch True for a page with a search field of its own. Its header then has no search field.
 */
export function PageFrame({
  current,
  hasSearch = false,
  children,
}: {
  readonly current?: NavigationPage;
  readonly hasSearch?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <>
      <Header current={current} hasSearch={hasSearch} />
      <main id="main" className="relative mx-auto w-full max-w-7xl px-4 py-8 sm:px-6 sm:py-12">
        {children}
      </main>
      <Footer />
    </>
  );
}

type Link = (typeof NAVIGATION_LINKS)[number];

/** Id of the popover that contains the menu of narrow screens. */
const MENU_ID = 'menu';

/**
 * Header of every page. On a narrow screen, a native popover contains the links, so no script is needed. Next to a search
 * field, phones show the logo without the name, so that the header has one line.
 */
function Header({
  current,
  hasSearch,
}: {
  readonly current: NavigationPage | undefined;
  readonly hasSearch: boolean;
}) {
  return (
    <header className="relative border-b border-line">
      <div className="mx-auto flex max-w-7xl items-center gap-x-2 px-4 py-2 sm:gap-x-6 sm:px-6">
        <a
          href="/"
          className="inline-flex min-h-11 min-w-11 items-center gap-2 text-lg font-bold no-underline sm:gap-3 sm:text-xl"
        >
          <Logo className="size-7 sm:size-8" />
          <span className={hasSearch ? '' : 'max-sm:sr-only'}>Touchstone</span>
        </a>
        {hasSearch ? null : <HeaderSearch />}
        <nav aria-label="Main" className="ml-auto flex items-center">
          <ul className="flex gap-x-5 max-xl:hidden">
            {NAVIGATION_LINKS.filter(({ id }) => id !== 'home').map((link) => (
              <li key={link.id}>
                <NavigationLink link={link} current={current} className="inline-block py-2.5" />
              </li>
            ))}
          </ul>
          <Menu current={current} />
        </nav>
      </div>
    </header>
  );
}

/**
 * Button and panel of the menu. A browser without the popover API would always show the panel, so the button and the
 * panel are hidden in such a browser. The footer of each page has all links of the menu.
 */
function Menu({ current }: { readonly current: NavigationPage | undefined }) {
  return (
    <div className="hidden max-xl:supports-[selector(:popover-open)]:block">
      <button type="button" popoverTarget={MENU_ID} className={BUTTON_CLASSES}>
        <Icon path="M2 4h12M2 8h12M2 12h12" />
        Menu
      </button>
      <div
        id={MENU_ID}
        popover="auto"
        className="fixed inset-auto top-2 right-2 max-h-[calc(100dvh-1rem)] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto border border-edge bg-panel p-3 text-ink backdrop:bg-[#0007]"
      >
        <div className="flex justify-end">
          <button type="button" popoverTarget={MENU_ID} popoverTargetAction="hide" className={BUTTON_CLASSES}>
            <Icon path="M3.5 3.5l9 9M12.5 3.5l-9 9" />
            Close
          </button>
        </div>
        <ul className="mt-2">
          {NAVIGATION_LINKS.map((link) => (
            <li key={link.id} className="border-t border-line">
              <NavigationLink link={link} current={current} className="block px-2 py-2.5 text-lg" />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const BUTTON_CLASSES =
  'inline-flex min-h-11 cursor-pointer items-center gap-1.5 border border-edge bg-panel px-2.5 sm:gap-2 sm:px-3 font-semibold leading-none hover:border-accent hover:text-accent';

function NavigationLink({
  link: { id, href, label },
  current,
  className,
}: {
  readonly link: Link;
  readonly current: NavigationPage | undefined;
  readonly className: string;
}) {
  return (
    <a
      href={href}
      aria-current={id === current ? 'page' : undefined}
      className={`no-underline decoration-2 hover:underline aria-[current=page]:underline aria-[current=page]:decoration-gold ${className}`}
    >
      {label}
    </a>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true" focusable="false">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  );
}

/** Touchstone logo: a stone with a streak of metal across it. */
function Logo({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      <path d="M7 2h18l5 5v18l-5 5H7l-5-5V7z" className="fill-stone stroke-stone-line" strokeWidth="1.5" />
      <path d="M6.5 20.6 24.8 8.4l1.5 2.5L8.2 23.4z" className="fill-gold" />
      <path d="M10.4 24.6 26 14l.7 1.2-15.4 10.6z" className="fill-gold" opacity=".55" />
    </svg>
  );
}

/** Links to the main pages, in the order of the header and of the menu. */
export const NAVIGATION_LINKS = [
  { id: 'home', href: '/', label: 'Overview' },
  { id: 'explore', href: '/explore', label: 'Explore' },
  { id: 'leaderboard', href: '/trust/leaderboard', label: 'Leaderboard' },
  { id: 'stats', href: '/trust/stats', label: 'Statistics' },
  { id: 'events', href: '/events', label: 'Events' },
  { id: 'methodology', href: '/methodology', label: 'Methodology' },
  { id: 'mcp', href: '/mcp', label: 'Agents' },
  { id: 'docs', href: '/docs', label: 'API' },
  { id: 'check', href: '/check', label: 'Check' },
  { id: 'watch', href: '/watch', label: 'Watch' },
] as const;

/** Id of a page in the main navigation. */
export type NavigationPage = (typeof NAVIGATION_LINKS)[number]['id'];

/** Notice with a title, for a fact that affects the meaning of the whole page. */
export function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="note" className="border-l-4 border-accent bg-panel px-4 py-3">
      <p className="font-semibold">{title}</p>
      <p className="text-ink-soft">{children}</p>
    </div>
  );
}

/** Link to the main landmark. It is the first element of every page, before the links of the notice. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:bg-panel focus:px-4 focus:py-2"
    >
      Skip to the content
    </a>
  );
}

/**
 * Notice above the header of every page: its first sentence, so that it has one line on a phone, and a link to the whole
 * notice. The notice is a separate ARIA landmark, because it is outside the page frame.
 */
export function SiteNotice({ children }: { readonly children: string }) {
  const [firstSentence = children] = /^.+?[.!?](?=\s)/s.exec(children) ?? [];
  return (
    <aside aria-label="About this site" className="border-b border-line bg-panel text-sm text-ink-soft">
      <p className="mx-auto max-w-7xl px-4 py-1 [overflow-wrap:anywhere] sm:px-6">
        {firstSentence}
        {firstSentence === children ? null : (
          <>
            {' '}
            <a href="/about#notice" className="inline-block py-1">
              Details
            </a>
          </>
        )}
      </p>
    </aside>
  );
}
