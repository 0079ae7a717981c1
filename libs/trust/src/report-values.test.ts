import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_VANTAGE, isVantage, toDisplayResource } from './report-values.ts';

const HONEST = 'https://fxline.example/v1/rates/latest';

describe('toDisplayResource', () => {
  it.each([
    HONEST,
    'HTTPS://API.example.com',
    'https://api.example.com/{id}/ä b',
    'https://api.example.com/😀',
  ])('returns %s unchanged', (resource) => {
    expect(toDisplayResource(resource)).toBe(resource);
  });

  it.each([
    [`${HONEST}\u200b`, `${HONEST}%E2%80%8B`],
    [`${HONEST}\u00ad`, `${HONEST}%C2%AD`],
    [`${HONEST}\ufe0f`, `${HONEST}%EF%B8%8F`],
    [`${HONEST}\u{e0001}`, `${HONEST}%F3%A0%80%81`],
    [`${HONEST}\ud800`, `${HONEST}%EF%BF%BD`],
    ['\u200bhttps://api.example.com', '%E2%80%8Bhttps://api.example.com'],
  ])('percent-encodes the invisible characters of %j', (resource, shown) => {
    expect(toDisplayResource(resource)).toBe(shown);
  });

  it('never changes the URL that the text resolves to', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('\u200b', '\u2028', '\ufeff', '\u00a0', ' ', '\t', '\u{e0041}', 'x'),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 4 }), fc.nat(HONEST.length - 23), (units, from) => {
        const at = 23 + from;
        const resource = `${HONEST.slice(0, at)}${units.join('')}${HONEST.slice(at)}`;
        expect(new URL(toDisplayResource(resource)).href).toBe(new URL(resource).href);
      }),
    );
  });
});

describe('isVantage', () => {
  it.each([DEFAULT_VANTAGE, 'US', 'Frankfurt am Main', 'eu-central-1', 'Zürich', 'x'.repeat(40)])(
    'accepts %j',
    (text) => {
      expect(isVantage(text)).toBe(true);
    },
  );

  it.each(['', ' ', ' EU', 'EU ', 'E\nU', 'E\u00a0U', 'E\u200bU', '\u001b[2J', '\ud800', 'x'.repeat(41)])(
    'rejects %j',
    (text) => {
      expect(isVantage(text)).toBe(false);
    },
  );
});
