import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesSignature, parseCurrentSignature } from './accept-inngest.ts';

const SECONDS = String(Math.floor(Date.now() / 1000));

/** Signs a text with a key without prefix. Returns the parsed signature header of the text. */
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
