import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { webLink } from './web-link.ts';

describe('webLink', () => {
  it('links web addresses', () => {
    expect(webLink('https://api.example.com/v1?city=Bern')).toBe('https://api.example.com/v1?city=Bern');
    expect(webLink('http://api.example.com/')).toBe('http://api.example.com/');
    expect(webLink('https://latest.example.com/test')).toBe('https://latest.example.com/test');
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
    expect(webLink(resource)).toBeNull();
  });

  it('links nothing but http and https', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (resource) => {
        expect(webLink(resource) ?? 'https://').toMatch(/^https?:\/\//);
      }),
    );
  });
});
