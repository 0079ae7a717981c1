import { revalidateTag } from 'next/cache';

/** Has the pages of endpoints, and what lists them, made anew for their next visitor. */
export function expireTags(endpointIds: readonly string[]): Promise<void> {
  // Each expired tag has pages and the preview made anew, so nothing is expired where nothing changed.
  if (endpointIds.length === 0) return Promise.resolve();
  for (const tag of ['leaderboard', 'ecosystem', ...endpointIds.map((id) => `endpoint:${id}`)]) {
    revalidateTag(tag, { expire: 0 });
  }
  return Promise.resolve();
}
