import { readMember } from '../json/untrusted-json.ts';

/** Maximum length of a tag in characters (UTF-16 units). */
export const MAX_TAG_LENGTH = 32;

/**
 * Normalizes a tag, so that tags that look equal are equal: invisible characters are removed, each run of white space
 * is one space, and the text is in lower case and in Unicode normalization form KC. The function is idempotent.
 */
export function normalizeTag(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .normalize('NFKC');
}

/** Returns true for a normalized text that can be a tag. */
export function isTag(text: string): boolean {
  return text !== '' && text.length <= MAX_TAG_LENGTH;
}

export const MAX_TAGS = 8;
/** Maximum number of list elements that are read. */
const MAX_READ_ELEMENTS = 64;
/** Maximum length of a list element before its normalization, in characters (UTF-16 units). */
const MAX_READ_LENGTH = 4 * MAX_TAG_LENGTH;

/**
 * Returns the tags of a listing: the tags of the first value that has tags. A value has its tags in `tags`, or else in
 * `metadata.tags`. The tags are normalized and distinct; tags above the maximum length are left out. Tags are
 * unverified claims of the seller.
 *
 * @param values an item of a discovery directory and its payment options, as parsed from JSON
 */
export function readTags(values: readonly unknown[]): readonly string[] {
  for (const value of values) {
    const metadata = readMember(value, 'metadata');
    for (const list of [readMember(value, 'tags'), readMember(metadata, 'tags')]) {
      const tags = readList(list);
      if (tags.length > 0) return tags;
    }
  }
  return [];
}

function readList(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  const tags = list
    .slice(0, MAX_READ_ELEMENTS)
    .filter((element): element is string => typeof element === 'string' && element.length <= MAX_READ_LENGTH)
    .map(normalizeTag)
    .filter(isTag);
  return [...new Set(tags)].slice(0, MAX_TAGS);
}
