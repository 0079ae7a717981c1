const TOP_PAGES: readonly ParentPage[] = [
  { href: '/', label: 'Touchstone' },
  { href: '/explore', label: 'Explore' },
];

interface ParentPage {
  readonly href: string;
  readonly label: string;
}

/**
 * Links to the pages above a page of an endpoint or a provider.
 *
 * @param props.parents Pages between the explore page and this page.
 * @param props.current Name of this page, shown as the last part.
 */
export function Breadcrumb(props: { readonly parents: readonly ParentPage[]; readonly current: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-sm text-ink-soft">
      <ol className="flex flex-wrap gap-x-2">
        {[...TOP_PAGES, ...props.parents].map(({ href, label }) => (
          <li key={href} className="flex min-w-0 gap-x-2">
            <a href={href} className="[overflow-wrap:anywhere]">
              <bdi>{label}</bdi>
            </a>
            <span aria-hidden="true">/</span>
          </li>
        ))}
        <li aria-current="page" className="max-w-full truncate">
          <bdi>{props.current}</bdi>
        </li>
      </ol>
    </nav>
  );
}
