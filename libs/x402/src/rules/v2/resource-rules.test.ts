import { isValidIconUrl, isValidServiceName, sanitizeTags } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import {
  getCheck,
  listFailures,
  getResult,
  REQUEST_URL,
  v2Envelope,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

const RESOURCE = { url: REQUEST_URL, description: 'Weather by city', mimeType: 'application/json' };

function read(change: JsonObject, extensions?: JsonObject, url = REQUEST_URL): Challenge {
  const envelope = v2Envelope({ resource: { ...RESOURCE, ...change }, extensions });
  return readChallenge(v2Response(envelope, { url }));
}

/** Returns the ids of the failed rules that check the member `resource`. */
function faults(challenge: Challenge): string[] {
  return listFailures(challenge).filter((id) => id.startsWith('v2-') && !id.startsWith('v2-asset'));
}

describe('resource.url', () => {
  test.each<[string, unknown, string[]]>([
    ['that is correct', REQUEST_URL, []],
    ['with a query', `${REQUEST_URL}?city=Bern`, []],
    ['with a trailing slash', `${REQUEST_URL}/`, []],
    ['when missing', undefined, ['v2-resource-url']],
    ['that is a number', 7, ['v2-resource-url']],
    ['without a host', '/v1/weather', ['v2-resource-url']],
    ['without a scheme', 'api.example.com/v1/weather', ['v2-resource-url']],
    ['with http', 'http://api.example.com/v1/weather', ['v2-resource-url-https']],
    ['with ftp', 'ftp://api.example.com/v1/weather', ['v2-resource-url-https']],
    ['of an MCP tool', 'mcp://tool/weather', []],
    ['with another path', 'https://api.example.com/v1/stocks', ['v2-resource-url-matches']],
    ['with another host', 'https://www.example.com/v1/weather', ['v2-resource-url-matches']],
    ['with another port', 'https://api.example.com:8443/v1/weather', ['v2-resource-url-matches']],
    [
      'with another path and http',
      'http://api.example.com/v1/stocks',
      ['v2-resource-url-https', 'v2-resource-url-matches'],
    ],
    ['with localhost', 'http://localhost:3000/v1/weather', ['v2-resource-url-public']],
    ['in a private network', 'http://10.0.0.7/v1/weather', ['v2-resource-url-public']],
    ['with a container name', 'http://web:3000/v1/weather', ['v2-resource-url-public']],
    ['with a reserved name', 'https://api.example/v1/weather', ['v2-resource-url-public']],
    ['with a documentation address', 'https://192.0.2.7/v1/weather', ['v2-resource-url-public']],
    ['in a private network over IPv6', 'https://[64:ff9b::10.0.0.7]/v1/weather', ['v2-resource-url-public']],
  ])('%s', (...[, url, expected]) => {
    expect(faults(read({ url }))).toEqual(expected);
  });

  test('with an unreachable host is an error, but does not prevent payment', () => {
    const challenge = read({ url: 'http://localhost:3000/v1/weather' });
    expect(getCheck(challenge, 'v2-resource-url-public')).toMatchObject({
      axis: 'hygiene',
      severity: 'error',
      result: 'fail',
    });
    expect(challenge).toMatchObject({ verdict: 'warnings', payable: { v2: true } });
  });

  test.each(['https://misnamed.sandbox.test/v1/weather', 'https://api.example/v1/weather'])(
    'skips the host check when %s was requested',
    (url) => {
      expect(getResult(read({ url: 'http://localhost/' }, undefined, url), 'v2-resource-url-public')).toBe(
        'skip',
      );
      expect(getResult(read({ url }, undefined, url), 'v2-resource-url-matches')).toBe('pass');
    },
  );

  test('of a local request skips the public host check', () => {
    const url = 'http://localhost:3000/v1/weather';
    const challenge = read({ url }, undefined, url);
    expect(getResult(challenge, 'v2-resource-url-public')).toBe('skip');
    expect(getResult(challenge, 'v2-resource-url-https')).toBe('skip');
    expect(getResult(challenge, 'v2-resource-url-matches')).toBe('pass');
  });

  test('may be the route template of the request', () => {
    const url = 'https://api.example.com/v1/:topic';
    expect(faults(read({ url }, { bazaar: { routeTemplate: '/v1/:topic' } }))).toEqual([]);
    expect(faults(read({ url }, { bazaar: { routeTemplate: '/v2/:topic' } }))).toEqual([
      'v2-resource-url-matches',
    ]);
    const sibling = 'https://api.example.com/v1/models:predict';
    expect(faults(read({ url: sibling }, { bazaar: { routeTemplate: '/v1/models:predict' } }))).toEqual([
      'v2-resource-url-matches',
    ]);
    expect(
      faults(read({ url: 'https://api.example.com/v1/a/b' }, { bazaar: { routeTemplate: '/v1/:var1' } })),
    ).toEqual([]);
    expect(faults(read({ url }, { bazaar: { routeTemplate: '/../:topic' } }))).toEqual([
      'v2-resource-url-matches',
    ]);
  });
});

test('without a resource there is one finding', () => {
  const challenge = readChallenge(v2Response(v2Envelope({ resource: null })));
  expect(faults(challenge)).toEqual(['v2-resource-object']);
  expect(challenge.payable.v2).toBe(true);
});

test.each<[unknown, string]>([
  ['Weather by city', 'pass'],
  ['', 'fail warning'],
  [null, 'fail warning'],
  [undefined, 'fail warning'],
  [7, 'fail warning'],
])('a description of %j: %s', (description, expected) => {
  expect(getResult(read({ description }), 'v2-description')).toBe(expected);
});

test('a description may have at most 500 characters', () => {
  expect(getResult(read({ description: 'x'.repeat(500) }), 'v2-description')).toBe('pass');
  expect(getResult(read({ description: 'x'.repeat(501) }), 'v2-description')).toBe('fail error');
});

test.each<[unknown, string]>([
  ['application/json', 'pass'],
  ['application/vnd.api+json', 'pass'],
  ['Text/HTML; charset=utf-8', 'pass'],
  [undefined, 'skip'],
  [null, 'skip'],
  ['', 'fail warning'],
  ['json', 'fail warning'],
  ['*/*', 'fail warning'],
  ['application/json, text/html', 'fail warning'],
  [`a/${'b'.repeat(128)}`, 'fail warning'],
  [7, 'fail warning'],
])('a media type of %j: %s', (mimeType, expected) => {
  expect(getResult(read({ mimeType }), 'v2-mimetype')).toBe(expected);
});

const Label = fc.oneof(
  fc.string({ maxLength: 40, unit: fc.constantFrom('a', ' ', '~', '\u007f', 'é', '\n', '💸', '1') }),
  fc.constantFrom<unknown>('', 'Skies', 'a'.repeat(32), 'a'.repeat(33), 7, {}),
);

describe('service metadata that facilitators accept', () => {
  test('has the same valid names as the reference package', () => {
    fc.assert(
      fc.property(Label, (serviceName) => {
        const expected =
          typeof serviceName === 'string' && isValidServiceName(serviceName) ? 'pass' : 'fail warning';
        expect(getResult(read({ serviceName }), 'v2-service-name')).toBe(expected);
      }),
    );
  });

  test('has the same valid tags as the reference package', () => {
    fc.assert(
      fc.property(fc.uniqueArray(Label, { maxLength: 7, minLength: 1 }), (tags) => {
        const expected =
          sanitizeTags(tags.filter((tag) => typeof tag === 'string'))?.length === tags.length
            ? 'pass'
            : 'fail warning';
        expect(getResult(read({ tags }), 'v2-tags')).toBe(expected);
      }),
    );
    expect(getResult(read({ tags: [] }), 'v2-tags')).toBe('pass');
    expect(getResult(read({ tags: ['a', 'A'] }), 'v2-tags')).toBe('pass');
    expect(getResult(read({ tags: 'weather' }), 'v2-tags')).toBe('fail warning');
  });

  test.each([
    ...[
      'https://a.example/icon.png',
      'http://a.example/icon.png',
      'https://bücher.example/i.png',
      '/icon.png',
      '',
    ],
    ...[
      'data:image/png;base64,AA',
      'https://user@a.example/i.png',
      'https://1.2.3.4/i.png',
      'https://[::1]/i.png',
    ],
    ...['https://0x7f000001/i.png', 'https://2130706433/i.png', 'https://localhost/i', 'https://LOCALHOST/i'],
    ...['https://%6cocalhost/i', 'https://a.example/\ni.png', 'https://ip6-loopback/', 'https://'],
    ...[2_030, 2_031].map((length) => `https://a.example/${'a'.repeat(length)}`),
  ])('has the same valid icon URLs as the reference package: %.40s', (iconUrl) => {
    expect(getResult(read({ iconUrl }), 'v2-icon-url')).toBe(
      isValidIconUrl(iconUrl) ? 'pass' : 'fail warning',
    );
  });

  test('rejects an icon that is not a string', () => {
    expect(getResult(read({ iconUrl: 7 }), 'v2-icon-url')).toBe('fail warning');
    expect(getResult(read({ iconUrl: { url: 'https://a.example/icon.png' } }), 'v2-icon-url')).toBe(
      'fail warning',
    );
  });
});

test('messages quote values shortened and on one line', () => {
  const { message } = getCheck(read({ serviceName: `a\u001b[2J\n${'x'.repeat(1_000)}` }), 'v2-service-name');
  expect(message).toMatch(/^resource\.serviceName is "a\\u001b\[2J\\nx{50,80}…"; /);
});
