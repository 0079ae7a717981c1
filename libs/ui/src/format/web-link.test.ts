import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWebLink } from './web-link.ts';

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
