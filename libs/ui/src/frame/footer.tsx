interface FooterGroup {
  readonly title: string;
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** Links in the footer, grouped by kind of reader. */
const FOOTER_GROUPS: readonly FooterGroup[] = [
  {
    title: 'Endpoints',
    links: [
      { href: '/explore', label: 'Explore' },
      { href: '/trust/leaderboard', label: 'Leaderboard' },
      { href: '/trust/stats', label: 'Statistics' },
      { href: '/events', label: 'Events' },
      { href: '/delivery', label: 'Test purchases' },
    ],
  },
  {
    title: 'Your tools',
    links: [
      { href: '/mcp', label: 'Connect an agent' },
      { href: '/check', label: 'Check your endpoint' },
      { href: '/claim', label: 'Claim your host' },
      { href: '/watch', label: 'Watch' },
      { href: '/docs', label: 'API reference' },
      { href: '/methodology', label: 'Methodology' },
    ],
  },
  {
    title: 'This service',
    links: [
      { href: '/about', label: 'About' },
      { href: '/status', label: 'Status' },
      { href: '/corrections', label: 'Corrections' },
      { href: '/about#privacy', label: 'Privacy' },
      { href: '/about#opt-out', label: 'Opt out' },
    ],
  },
  {
    title: 'For programs',
    links: [
      { href: '/openapi.json', label: 'OpenAPI' },
      { href: '/llms.txt', label: 'llms.txt' },
      { href: '/.well-known/x402', label: 'Paid operations' },
      { href: '/.well-known/touchstone-keys.json', label: 'Signing keys' },
      { href: '/events.atom', label: 'Atom feed of events' },
      { href: '/sitemap.xml', label: 'Sitemap' },
    ],
  },
];

/** Footer of every page: links for each kind of reader, and notes that apply to all figures. */
export function Footer() {
  return (
    <footer className="mt-6 border-t border-line">
      <div className="mx-auto grid max-w-7xl gap-x-12 gap-y-8 px-4 py-10 text-sm text-ink-soft sm:px-6 lg:grid-cols-[1fr_1.8fr]">
        <div className="max-w-xl space-y-2">
          <p>
            Scores are computed from measurements with one published formula. No language model is involved.
            Names and descriptions of services are unverified claims of their providers.
          </p>
          <p>
            All times are UTC. Prices are as advertised by the endpoints. Latency is measured from one
            location.
          </p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-4">
          {FOOTER_GROUPS.map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold text-ink">{title}</h2>
              <ul className="mt-1">
                {links.map(({ href, label }) => (
                  <li key={href}>
                    <a href={href} className="inline-block py-1 max-sm:py-2.5">
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
