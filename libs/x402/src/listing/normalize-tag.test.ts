import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTag, MAX_TAG_LENGTH, normalizeTag } from './normalize-tag.ts';

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
