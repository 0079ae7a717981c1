import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText, toWebLink } from './plain-text.ts';

describe('toPlainText', () => {
  it('removes bidirectional control characters', () => {
    expect(toPlainText('Safe\u202Eexe.gnp\u2066 pay\u200Bment\u0000')).toBe('Safeexe.gnp payment');
  });

  it('joins lines', () => {
    expect(toPlainText('  one\r\n\ttwo\u00A0 three ')).toBe('one two three');
  });

  it('cuts a long text with an ellipsis', () => {
    expect(toPlainText('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(toPlainText('a'.repeat(10), 10)).toBe('a'.repeat(10));
  });

  it('removes all control characters and respects the limit for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const plain = toPlainText(text, limit);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect([...plain].length).toBeLessThanOrEqual(limit);
        expect(plain.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('toWebLink', () => {
  it('links http and https URLs', () => {
    expect(toWebLink('https://api.example.com/v1?city=Bern')).toBe('https://api.example.com/v1?city=Bern');
    expect(toWebLink('http://api.example.com/')).toBe('http://api.example.com/');
    expect(toWebLink('https://latest.example.com/test')).toBe('https://latest.example.com/test');
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '/relative',
    'https://api.sandbox.test/v1',
    'https://test:8443/',
    'https://API.SANDBOX.TEST./',
    '',
  ])('does not link %j', (resource) => {
    expect(toWebLink(resource)).toBeNull();
  });

  it('links only http and https URLs', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (resource) => {
        expect(toWebLink(resource) ?? 'https://').toMatch(/^https?:\/\//);
      }),
    );
  });
});
