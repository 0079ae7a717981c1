/**
 * Canonical paths of the pages that search engines may list and that exist without endpoints. `/watch` is not among them:
 * it has no content without a watch.
 */
export const STATIC_PAGES = [
  '/',
  '/explore',
  '/trust/leaderboard',
  '/trust/stats',
  '/events',
  '/methodology',
  '/mcp',
  '/docs',
  '/docs/explorer',
] as const;
