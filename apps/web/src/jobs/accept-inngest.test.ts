import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalizeJson, matchesSignature, parseCurrentSignature } from './accept-inngest.ts';

const SECONDS = String(Math.floor(Date.now() / 1000));

/** Parses the signature header of a text that is signed with a key without prefix. */
function parse(text: string, key: string) {
  const digest = createHmac('sha256', key).update(`${text}${SECONDS}`).digest('hex');
  const signature = parseCurrentSignature(`t=${SECONDS}&s=${digest}`);
  if (signature === null) throw new Error('the header is well-formed');
  return signature;
}

describe('matchesSignature', () => {
  it('accepts the signature with one of the keys, whose prefix does not count', () => {
    const signature = parse('{}', 'b');
    expect(matchesSignature('{}', signature, ['signkey-prod-a', 'signkey-prod-b'])).toBe(true);
    expect(matchesSignature(new TextEncoder().encode('{}'), signature, ['b'])).toBe(true);
    expect(matchesSignature('{}', signature, ['signkey-prod-a'])).toBe(false);
    expect(matchesSignature('{} ', signature, ['b'])).toBe(false);
    expect(matchesSignature('{}', signature, [])).toBe(false);
  });
});

describe('canonicalizeJson', () => {
  it('returns the same text for each order of the members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        const canonical = canonicalizeJson(JSON.stringify(value, null, 2));
        expect(canonicalizeJson(JSON.stringify(reversed))).toBe(canonical);
        expect(JSON.parse(canonical ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('sorts members by their UTF-16 code units, without spaces', () => {
    expect(canonicalizeJson('{ "b": [1.0, {}], "10": null, "9": "é\\u003c", "a": {"d": 1, "c": 2} }')).toBe(
      '{"10":null,"9":"é<","a":{"c":2,"d":1},"b":[1,{}]}',
    );
  });

  it.each(['', '{', '[1,]'])('returns null for %j, which is not JSON', (text) => {
    expect(canonicalizeJson(text)).toBeNull();
  });

  it('returns null for a text that is nested too deeply', () => {
    expect(canonicalizeJson(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBeNull();
  });
});
