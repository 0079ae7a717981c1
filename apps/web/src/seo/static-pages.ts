/**
 * Canonical paths of the pages that search engines may list and that exist without endpoints. `/watch` and
 * `/docs/explorer` are not among them: one has no content without a watch, the other none without JavaScript.
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
] as const;
