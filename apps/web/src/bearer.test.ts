import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriesToken } from './bearer.ts';

const TOKEN = '0123456789abcdef';

describe('carriesToken', () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Bearer   ${TOKEN} `])('accepts %j', (header) => {
    expect(carriesToken(header, TOKEN)).toBe(true);
  });

  it.each([null, '', TOKEN, 'Bearer', 'Bearer ', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer x ${TOKEN}`])(
    'refuses %j',
    (header) => {
      expect(carriesToken(header, TOKEN)).toBe(false);
    },
  );

  it('accepts no other token', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other.trim() !== TOKEN);
        expect(carriesToken(`Bearer ${other}`, TOKEN)).toBe(false);
      }),
    );
  });
});
