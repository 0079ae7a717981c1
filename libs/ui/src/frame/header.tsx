import { Logo } from './logo.tsx';
import { NAVIGATION_LINKS, type NavigationPage } from './navigation-links.ts';

type Link = (typeof NAVIGATION_LINKS)[number];

/** Id of the popover that contains the menu of narrow screens. */
const MENU_ID = 'menu';

/**
 * Pages that the header of a wide screen does not link: the logo links to the overview, and the footer links to the page
 * of a watch. The menu of a narrow screen links to both.
 */
const HIDDEN_IN_HEADER: readonly NavigationPage[] = ['home', 'watch'];

/** Header of every page. On a narrow screen, a native popover contains the links, so no script is needed. */
export function Header({ current }: { readonly current: NavigationPage | undefined }) {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex max-w-7xl items-center justify-between gap-x-3 px-4 py-2 sm:px-6">
        <a
          href="/"
          className="inline-flex items-center gap-2 py-1.5 text-lg font-bold no-underline sm:gap-3 sm:text-xl"
        >
          <Logo className="size-7 sm:size-8" />
          Touchstone
        </a>
        <nav aria-label="Main" className="flex items-center gap-x-3 max-sm:text-[0.95rem]">
          <ul className="flex gap-x-5 xl:gap-x-7">
            {NAVIGATION_LINKS.filter(({ id }) => !HIDDEN_IN_HEADER.includes(id)).map((link) => (
              <li key={link.id} className={link.id === 'explore' ? 'max-[22rem]:hidden' : 'max-lg:hidden'}>
                <NavigationLink link={link} current={current} className="inline-block py-2" />
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
 * Button and panel of the menu. A browser without the popover API would always show the panel, so it gets neither. The
 * footer of each page has all links of the menu.
 */
function Menu({ current }: { readonly current: NavigationPage | undefined }) {
  return (
    <div className="hidden max-lg:supports-[selector(:popover-open)]:block">
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
  'inline-flex cursor-pointer items-center gap-1.5 border border-edge bg-panel px-2.5 py-2.5 sm:gap-2 sm:px-3 font-semibold leading-none hover:border-accent hover:text-accent';

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
