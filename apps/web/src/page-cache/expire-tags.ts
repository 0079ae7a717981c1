import { revalidateTag } from 'next/cache';

/**
 * Expires the pages of the given endpoints and the pages that list endpoints. The next request for such a page renders it
 * again.
 */
export function expireTags(endpointIds: readonly string[]): Promise<void> {
  // If no endpoint changed, no tag is expired, because each expired tag costs a render of its pages and of the preview.
  if (endpointIds.length === 0) return Promise.resolve();
  for (const tag of ['leaderboard', 'ecosystem', ...endpointIds.map((id) => `endpoint:${id}`)]) {
    revalidateTag(tag, { expire: 0 });
  }
  return Promise.resolve();
}
