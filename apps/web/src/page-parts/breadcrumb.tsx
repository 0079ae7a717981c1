const TOP_PAGES: readonly ParentPage[] = [
  { href: '/', label: 'Touchstone' },
  { href: '/explore', label: 'Explore' },
];

interface ParentPage {
  readonly href: string;
  readonly label: string;
}

/**
 * Links to the pages above a page of an endpoint or a provider. On a phone, the links are on one line without the home
 * page, to which the logo above links.
 *
 * @param props.parents Pages between the explore page and this page.
 * @param props.current Name of this page, shown as the last part.
 */
export function Breadcrumb(props: { readonly parents: readonly ParentPage[]; readonly current: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-sm/6 text-ink-soft">
      <ol className="flex gap-x-2 sm:flex-wrap">
        {[...TOP_PAGES, ...props.parents].map(({ href, label }) => (
          <li
            key={href}
            className={`flex gap-x-2 max-sm:shrink-0 max-sm:max-w-2/3 sm:min-w-0 ${href === '/' ? 'max-sm:hidden' : ''}`}
          >
            <a href={href} className="max-sm:truncate sm:[overflow-wrap:anywhere]">
              <bdi>{label}</bdi>
            </a>
            <span aria-hidden="true">/</span>
          </li>
        ))}
        <li aria-current="page" className="max-w-full min-w-0 truncate">
          <bdi>{props.current}</bdi>
        </li>
      </ol>
    </nav>
  );
}
