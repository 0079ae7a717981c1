import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTag, normalizeTag } from './normalize-tag.ts';
import { MAX_TAGS, readTags } from './read-tags.ts';

test('reads the tags of an item, of its metadata, or of a payment option', () => {
  expect(readTags([{ tags: ['Weather', ' forecast '] }])).toEqual(['weather', 'forecast']);
  expect(readTags([{ tags: [], metadata: { tags: ['qr-code'] } }])).toEqual(['qr-code']);
  expect(readTags([{ tags: 'weather' }, { metadata: { tags: ['api'] } }, { tags: ['other'] }])).toEqual([
    'api',
  ]);
});

test('leaves out duplicates, empty and long tags, and values that are not text', () => {
  const tags = [
    'AI',
    'ai',
    '',
    ' ',
    '\u0000',
    7,
    null,
    ['x'],
    { tags: ['y'] },
    'x'.repeat(33),
    'x'.repeat(32),
  ];
  expect(readTags([{ tags }])).toEqual(['ai', 'x'.repeat(32)]);
  expect(readTags([{ tags: Array.from({ length: 20 }, (_, n) => `tag ${String(n)}`) }])).toHaveLength(
    MAX_TAGS,
  );
});

test('returns storable tags within the limits for any list', () => {
  const element = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(1, null, {}, ['x']));
  fc.assert(
    fc.property(fc.array(element, { maxLength: 12 }), (list) => {
      const tags = readTags([{ tags: list }]);
      const isValid = (tag: string): boolean => isTag(tag) && tag === normalizeTag(tag);
      expect(tags.filter((tag) => !isValid(tag))).toEqual([]);
      expect([tags.length <= MAX_TAGS, new Set(tags).size]).toEqual([true, tags.length]);
      expect(readTags([{ tags }])).toEqual(tags);
    }),
    { numRuns: 30 },
  );
});
