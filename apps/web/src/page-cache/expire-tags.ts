import { revalidateTag } from 'next/cache';

/** Expires the pages of these endpoints and the pages that list them, so that the next request renders them again. */
export function expireTags(endpointIds: readonly string[]): Promise<void> {
  // Each expired tag costs a render of its pages and of the preview.
  if (endpointIds.length === 0) return Promise.resolve();
  for (const tag of ['leaderboard', 'ecosystem', ...endpointIds.map((id) => `endpoint:${id}`)]) {
    revalidateTag(tag, { expire: 0 });
  }
  return Promise.resolve();
}
