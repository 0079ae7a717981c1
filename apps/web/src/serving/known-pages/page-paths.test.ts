import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEndpointId, isHost, parseHost, toProviderPath, formatPath } from './page-paths.ts';
import { canonicalize } from '@touchstone/catalog';

describe('parseEndpointId', () => {
  it('returns the last ten characters', () => {
    expect(parseEndpointId('api-example-com-weather-abcdefgh27')).toBe('abcdefgh27');
    expect(parseEndpointId('abcdefgh27')).toBe('abcdefgh27');
  });

  it.each([
    '',
    'abcdefgh2',
    'api-abcdefgh21',
    'API-abcdefgh27',
    'api_example-abcdefgh27',
    'api--example-abcdefgh27',
    '-abcdefgh27',
    'apiabcdefgh27',
    'api-abcdefgh27-',
    'api-abcdefgh27.json',
    'api-abcdefgh27.rsc',
    'api/abcdefgh27',
    '../abcdefgh27',
    '%61-abcdefgh27',
    'api-abcdefgh27\n',
    `${'a'.repeat(81)}-abcdefgh27`,
  ])('returns null for %j', (slug) => {
    expect(parseEndpointId(slug)).toBeNull();
  });

  it('returns the id after any words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, fc.stringMatching(/^[a-z2-7]{10}$/), (host, id) => {
        expect(parseEndpointId(`${host.join('-')}-${id}`)).toBe(id);
      }),
    );
  });
});

const getLastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

describe('parseHost', () => {
  it('returns the host of every endpoint of the catalog from the path of its page', () => {
    const hosts = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    let accepted = 0;
    fc.assert(
      fc.property(hosts, (name) => {
        const result = canonicalize(`https://${name}/path`);
        if (!result.ok) return;
        accepted += 1;
        expect(isHost(result.host)).toBe(true);
        expect(parseHost(getLastPart(toProviderPath(result.host)))).toBe(result.host);
      }),
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('changes the case of a name, and accepts brackets without percent-encoding', () => {
    expect(parseHost('API.Example.com')).toBe('api.example.com');
    expect(parseHost('[2606:4700:4700::1111]')).toBe('[2606:4700:4700::1111]');
  });

  it.each(['', '.', '..', 'a..b', 'api.example.com.', 'a%2fb', 'a b', '%', '[]', `${'a.'.repeat(127)}b`])(
    'rejects %j',
    (part) => {
      expect(parseHost(part)).toBeNull();
    },
  );
});

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
