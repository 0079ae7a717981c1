import { revalidateTag } from 'next/cache';
import { addTaggedPages } from '../known-pages/known-pages.ts';

/**
 * Expires the pages with the given cache tags. The next request for such a page renders it again. A page that was just
 * added also has one of the tags, so its name is added to the known names.
 */
export function expireTags(tags: readonly string[]): Promise<void> {
  addTaggedPages(tags);
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
  return Promise.resolve();
}
