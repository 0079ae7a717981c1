import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath } from './format-path.ts';

describe('formatPath', () => {
  it.each([
    ['https://h.example/weather?city=Bern', '/weather?city=Bern'],
    ['https://h.example/', '/'],
    ['https://h.example', '/'],
    ['https://h.example:8443/weather', 'h.example:8443/weather'],
    ['https://[2001:db8::1]/weather', '/weather'],
    ['http://h.example/weather', 'http://h.example/weather'],
    ['http://h.example:8080/weather', 'http://h.example:8080/weather'],
  ])('formats %s as %s', (resource, text) => {
    expect(formatPath(resource)).toBe(text);
  });

  it('has different texts for different endpoints of a host', () => {
    const url = fc
      .record({
        origin: fc.constantFrom('https://h.example', 'https://h.example:8443', 'http://h.example'),
        path: fc.webPath(),
      })
      .map(({ origin, path }) => new URL(`${origin}${path}`).href);
    fc.assert(
      fc.property(url, url, (one, other) => {
        expect(formatPath(one) === formatPath(other)).toBe(one === other);
      }),
    );
  });
});
