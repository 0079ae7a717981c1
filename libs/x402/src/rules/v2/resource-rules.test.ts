import { isValidIconUrl, isValidServiceName, sanitizeTags } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { V2_RESOURCE_RULES } from './resource-rules.ts';
import {
  getCheck,
  getResult,
  REQUEST_URL,
  v2Envelope,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge } from '../../types.ts';

/** Example response. Its members default to a correct response. */
interface Example {
  /** Changes of the member `resource`. */
  readonly change?: JsonObject;
  /** Value that replaces `resource`. */
  readonly resource?: unknown;
  readonly extensions?: JsonObject;
  readonly requestUrl?: string;
}

const RESOURCE = { url: REQUEST_URL, description: 'Weather by city', mimeType: 'application/json' };
const LOCAL_URL = 'http://localhost:3000/v1/weather';

function read({ change, extensions, requestUrl = REQUEST_URL, ...rest }: Example): Challenge {
  const resource = 'resource' in rest ? rest.resource : { ...RESOURCE, ...change };
  return readChallenge(v2Response(v2Envelope({ resource, extensions }), { url: requestUrl }));
}

function withMember(name: string, ...values: readonly unknown[]): Example[] {
  return values.map((value) => ({ change: { [name]: value } }));
}

/** Creates an example whose `resource.url` has the given path, with a route template. */
function withTemplate(path: string, routeTemplate: string): Example {
  return { change: { url: `https://api.example.com${path}` }, extensions: { bazaar: { routeTemplate } } };
}

/** Creates examples in which `resource.url` is the requested URL. */
function atUrl(...urls: readonly string[]): Example[] {
  return urls.map((url) => ({ change: { url }, requestUrl: url }));
}

testRules<Example>({
  rules: V2_RESOURCE_RULES,
  read,
  overlaps: { 'v2-resource-url-https': ['v2-resource-url-matches'] },
  cases: {
    'v2-resource-object': { pass: [{}], error: [{ resource: REQUEST_URL }, { resource: null }] },
    'v2-resource-url': {
      pass: [{}],
      error: withMember('url', '', undefined, 7),
      warning: withMember('url', '/v1/weather', 'api.example.com/v1/weather'),
      skip: [{ resource: REQUEST_URL }],
    },
    'v2-resource-url-https': {
      pass: [{}],
      warning: withMember('url', 'http://api.example.com/v1/stocks', 'ftp://api.example.com/v1/weather'),
      skip: [...withMember('url', 'mcp://tool/weather'), ...atUrl(LOCAL_URL)],
    },
    'v2-resource-url-public': {
      pass: [{}],
      error: withMember(
        'url',
        ...[LOCAL_URL, 'http://10.0.0.7/v1/weather', 'http://web:3000/v1/weather'],
        ...['https://api.example/v1/weather', 'https://192.0.2.7/v1/weather'],
        'https://[64:ff9b::10.0.0.7]/v1/weather',
      ),
      skip: [
        ...atUrl(LOCAL_URL, 'https://misnamed.sandbox.test/v1/weather', 'https://api.example/v1/weather'),
        { change: { url: 'http://localhost/' }, requestUrl: 'https://api.example/v1/weather' },
      ],
    },
    'v2-resource-url-matches': {
      pass: [
        ...withMember('url', `${REQUEST_URL}?city=Bern`, `${REQUEST_URL}/`),
        ...atUrl(LOCAL_URL, 'https://misnamed.sandbox.test/v1/weather'),
        // The route template of a discovery extension matches the request.
        ...[withTemplate('/v1/:topic', '/v1/:topic'), withTemplate('/v1/a/b', '/v1/:var1')],
      ],
      warning: [
        ...withMember('url', 'https://api.example.com/v1/stocks', 'https://www.example.com/v1/weather'),
        ...withMember('url', 'https://api.example.com:8443/v1/weather'),
        ...[withTemplate('/v1/:topic', '/v2/:topic'), withTemplate('/v1/:topic', '/../:topic')],
        withTemplate('/v1/models:predict', '/v1/models:predict'),
      ],
      skip: withMember('url', 'http://10.0.0.5/v1/weather', 'mcp://tool/weather'),
    },
    'v2-description': {
      pass: withMember('description', 'Weather by city', 'x'.repeat(501)),
      warning: withMember('description', '', null, undefined, 7),
    },
    'v2-mimetype': {
      pass: withMember('mimeType', 'application/vnd.api+json', 'Text/HTML; charset=utf-8'),
      warning: withMember(
        'mimeType',
        ...['', 'json', '*/*', 'application/json, text/html', `a/${'b'.repeat(128)}`, 7],
      ),
      skip: withMember('mimeType', undefined, null),
    },
    'v2-service-name': {
      pass: withMember('serviceName', 'Skies'),
      warning: withMember('serviceName', 'Skies over Bern, Geneva and Zürich'),
      skip: [{}],
    },
    'v2-tags': {
      pass: withMember('tags', ['weather', 'europe'], [], ['a', 'A']),
      warning: withMember('tags', ['a', 'b', 'c', 'd', 'e', 'f'], 'weather'),
      skip: [{}],
    },
    'v2-icon-url': {
      pass: withMember('iconUrl', 'https://api.example.com/icon.png'),
      warning: withMember('iconUrl', 'data:image/png;base64,AAAA', 7, { url: 'https://a.example/icon.png' }),
      skip: withMember('iconUrl', null),
    },
  },
});

test('an unreachable host in resource.url does not prevent payment', () => {
  const challenge = read({ change: { url: LOCAL_URL } });
  expect(challenge).toMatchObject({ verdict: 'warnings', payable: { v2: true } });
});

test('messages quote values shortened and on one line', () => {
  const serviceName = `a\u001b[2J\n${'x'.repeat(1_000)}`;
  expect(getCheck(read({ change: { serviceName } }), 'v2-service-name').message).toMatch(
    /^resource\.serviceName is "a\\u001b\[2J\\nx{50,80}…"; /,
  );
});

describe('the reference package agrees on valid', () => {
  const Label = fc.oneof(
    fc.string({ maxLength: 40, unit: fc.constantFrom('a', ' ', '~', '\u007f', 'é', '\n', '💸', '1') }),
    fc.constantFrom<unknown>('', 'Skies', 'a'.repeat(32), 'a'.repeat(33), 7, {}),
  );
  const expectAgreement = (change: JsonObject, id: string, isValid: boolean): void => {
    expect(getResult(read({ change }), id)).toBe(isValid ? 'pass' : 'fail warning');
  };

  test('service names', () => {
    fc.assert(
      fc.property(Label, (serviceName) => {
        const isValid = typeof serviceName === 'string' && isValidServiceName(serviceName);
        expectAgreement({ serviceName }, 'v2-service-name', isValid);
      }),
    );
  });

  test('tags', () => {
    fc.assert(
      fc.property(fc.uniqueArray(Label, { maxLength: 7, minLength: 1 }), (tags) => {
        const valid = sanitizeTags(tags.filter((tag) => typeof tag === 'string'));
        expectAgreement({ tags }, 'v2-tags', valid?.length === tags.length);
      }),
    );
  });

  test.each([
    ...['https://a.example/icon.png', 'http://a.example/icon.png', 'https://bücher.example/i.png', ''],
    ...['/icon.png', 'https://user@a.example/i.png', 'https://1.2.3.4/i.png', 'https://[::1]/i.png'],
    ...['https://0x7f000001/i.png', 'https://2130706433/i.png', 'https://localhost/i', 'https://LOCALHOST/i'],
    ...['https://%6cocalhost/i', 'https://a.example/\ni.png', 'https://ip6-loopback/', 'https://'],
    ...[2_030, 2_031].map((length) => `https://a.example/${'a'.repeat(length)}`),
  ])('icon URLs: %.40s', (iconUrl) => {
    expectAgreement({ iconUrl }, 'v2-icon-url', isValidIconUrl(iconUrl));
  });
});
