import { revalidateTag } from 'next/cache';

/** Expires the pages with the given cache tags. The next request for such a page renders it again. */
export function expireTags(tags: readonly string[]): Promise<void> {
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
  return Promise.resolve();
}
