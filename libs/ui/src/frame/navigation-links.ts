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
  { id: 'watch', href: '/watch', label: 'Your watch' },
] as const;

/** Id of a page in the main navigation. */
export type NavigationPage = (typeof NAVIGATION_LINKS)[number]['id'];
