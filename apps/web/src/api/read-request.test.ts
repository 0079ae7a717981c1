import { describe, expect, it } from 'vitest';
import { acceptsHtml, hasBearerToken, matchesEtag, readBearerToken } from './read-request.ts';
import fc from 'fast-check';

describe('acceptsHtml', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json;q=0.5, text/html;q=0.8',
    'application/json, text/html',
    'text/html;level=1;q=0.1',
    '*/*,text/html;q=0.001',
  ])('returns true for %j', (accept) => {
    expect(acceptsHtml(accept)).toBe(true);
  });

  it.each([
    null,
    '',
    '*/*',
    'application/json, text/html;q=0.9',
    'text/html;q=0',
    'text/html;q=0.000, application/json',
    'text/html;q=2',
    'text/html-not',
    ',;,;q=',
  ])('returns false for %j', (accept) => {
    expect(acceptsHtml(accept)).toBe(false);
  });
});

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
