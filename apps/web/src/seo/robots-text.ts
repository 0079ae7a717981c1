/**
 * Paths that crawlers must not request: the API, internal routes, and pages with a filter, an order or a cursor, whose
 * number has no limit.
 */
const DISALLOWED = ['/api/', '/v1/', '/explore?', '/events?', '/on-demand/'] as const;

/**
 * Creates the content of `/robots.txt` (RFC 9309).
 *
 * @param origin Public origin of the site, without a path.
 */
export function createRobotsText(origin: string): string {
  return [
    'User-agent: *',
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}
