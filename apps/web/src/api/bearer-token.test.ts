import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasBearerToken, readBearerToken } from './bearer-token.ts';

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
