import { describe, expect, it } from 'vitest';
import { hasBearerToken, matchesEtag, readBearerToken } from './read-request.ts';
import fc from 'fast-check';

const TOKEN = '0123456789abcdef';

describe('hasBearerToken', () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Bearer   ${TOKEN} `])('accepts %j', (header) => {
    expect(hasBearerToken(header, TOKEN)).toBe(true);
  });

  it.each([null, '', TOKEN, 'Bearer', 'Bearer ', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer x ${TOKEN}`])(
    'refuses %j',
    (header) => {
      expect(hasBearerToken(header, TOKEN)).toBe(false);
    },
  );

  it('refuses every other token', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other.trim() !== TOKEN);
        expect(hasBearerToken(`Bearer ${other}`, TOKEN)).toBe(false);
      }),
    );
  });
});

describe('readBearerToken', () => {
  it.each([
    [`Bearer ${TOKEN}`, TOKEN],
    ['bearer wsk_a-b_c ', 'wsk_a-b_c'],
    [null, null],
    ['Bearer ', null],
    ['Bearer a b', null],
    ['Basic YTpi', null],
  ])('reads %j as %j', (header, token) => {
    expect(readBearerToken(header)).toBe(token);
  });
});

describe('matchesEtag', () => {
  it.each(['"a"', 'W/"a"', '"b", W/"a"', '"b","a"', '*', '"b", *'])('returns true for %j', (header) => {
    expect(matchesEtag(header, '"a"')).toBe(true);
  });

  it.each([null, undefined, '', '"b"', 'a', 'w/"a"', '"a*"'])('returns false for %j', (header) => {
    expect(matchesEtag(header, '"a"')).toBe(false);
  });
});
