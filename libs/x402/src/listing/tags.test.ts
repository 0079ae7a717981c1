import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isTag, MAX_TAG_LENGTH, normalizeTag, MAX_TAGS, readTags } from './tags.ts';

describe('normalizeTag', () => {
  it.each([
    ['  Machine \t Learning ', 'machine learning'],
    ['co\u00adop', 'coop'],
    ['a\u200db', 'ab'],
    ['Cafe\u0301', 'café'],
    ['\u0130', 'i\u0307'],
    ['a\u0000b', 'a b'],
    ['\ud800', '\ufffd'],
    ['ai\ufe0f', 'ai'],
    ['a\u034fi', 'ai'],
    ['\u3164', ''],
    ['\uff41\uff49', 'ai'],
  ])('normalizes %j to %j', (text, tag) => {
    expect(normalizeTag(text)).toBe(tag);
  });

  it('is idempotent, so the tag of a listing is found by its own text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const tag = normalizeTag(text);
        expect(normalizeTag(tag)).toBe(tag);
        expect(tag).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|\s{2}|^\s|\s$/u);
      }),
    );
  });
});

describe('isTag', () => {
  it.each([
    ['', false],
    ['weather', true],
    ['a'.repeat(MAX_TAG_LENGTH), true],
    ['a'.repeat(MAX_TAG_LENGTH + 1), false],
  ])('returns for %j: %s', (text, expected) => {
    expect(isTag(text)).toBe(expected);
  });
});

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
