import { z } from 'zod';
import { cleanText } from '../json/clean-text.ts';

export const MAX_TAGS = 8;
/** Maximum length of a tag in characters (UTF-16 units). Longer tags are left out. */
export const MAX_TAG_LENGTH = 32;
/** Maximum number of list elements that are read. */
const MAX_READ_ELEMENTS = 64;

const Tagged = z.object({ tags: z.unknown().optional(), metadata: z.unknown().optional() });

/**
 * Returns the tags of the first of these values that has any: of its member `tags`, or else of `metadata.tags`. Tags are
 * cleaned, in lower case and distinct. They are unverified claims of the seller.
 *
 * @param values an item of a discovery directory and its payment options, as parsed from JSON
 */
export function readTags(values: readonly unknown[]): readonly string[] {
  for (const value of values) {
    const tagged = Tagged.safeParse(value).data;
    for (const list of [tagged?.tags, Tagged.safeParse(tagged?.metadata).data?.tags]) {
      const tags = readList(list);
      if (tags.length > 0) return tags;
    }
  }
  return [];
}

function readList(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  const tags = list.slice(0, MAX_READ_ELEMENTS).flatMap((element: unknown) => {
    const tag =
      cleanText(element, MAX_TAG_LENGTH + 1)
        ?.toLowerCase()
        .normalize() ?? '';
    return tag === '' || tag.length > MAX_TAG_LENGTH ? [] : [tag];
  });
  return [...new Set(tags)].slice(0, MAX_TAGS);
}
