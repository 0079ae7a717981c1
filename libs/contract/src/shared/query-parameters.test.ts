import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.ts';
import { problemSchema } from './problem.ts';
import { findEncodingHint, findUnknownParameters, readQuery } from './query-parameters.ts';

const findOperation = (id: string) => {
  const operation = OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`No operation ${id}`);
  return operation;
};

const find = (id: string, query: string) =>
  findUnknownParameters(findOperation(id), `https://touchstone.example/path?${query}`);

describe('findUnknownParameters', () => {
  it.each([
    {
      ...{ id: 'getTrustReport', query: 'detial=full', path: 'detial' },
      message:
        '`detial` is not a query parameter of this request. Did you mean `detail`? Its query parameters are: `detail`.',
    },
    {
      ...{ id: 'readWatchEvents', query: 'watchSince=a', path: 'watchSince' },
      message:
        '`watchSince` is not a query parameter of this request. Did you mean `watch_since`? Its query parameters are: `since`, `watch_since`.',
    },
    {
      ...{ id: 'getHistory', query: 'utm_source=x', path: 'utm_source' },
      message:
        '`utm_source` is not a query parameter of this request. Remove it or correct its name. Its query parameters are: `resolution`.',
    },
    {
      ...{ id: 'cancelWatch', query: 'limit=3', path: 'limit' },
      message: '`limit` is not a query parameter of this request, which has none. Remove it.',
    },
    {
      ...{ id: 'getTrustReport', query: 'resource=https%3A%2F%2Fa.example', path: 'resource' },
      message:
        '`resource` is not a query parameter of this request. Send it in the JSON body, such as {"resource":"https://api.example.com/v1/weather"}.',
    },
    {
      ...{ id: 'findAlternatives', query: 'limit=3', path: 'limit' },
      message:
        '`limit` is not a query parameter of this request. Send it in the JSON body, such as {"limit":5}.',
    },
    {
      ...{ id: 'findEndpointSummary', query: 'resource=https://a.example/?a=1&b=2', path: 'b' },
      message:
        '`b` is not a query parameter of this request. Remove it or correct its name. Its query parameters are: `resource`, `payTo`, `network`. If the URL in `resource` contains "&", percent-encode the URL.',
    },
    {
      ...{ id: 'findEndpointSummary', query: 'url=https://a.example/', path: 'url' },
      message:
        '`url` is not a query parameter of this request. The required `resource` is missing. Did you mean `resource`? Its query parameters are: `resource`, `payTo`, `network`. If the URL in `resource` contains "&", percent-encode the URL.',
    },
  ])('$id?$query: names the parameter, the nearest and the known ones', ({ id, query, path, message }) => {
    expect(find(id, query)).toMatchObject({ code: 'invalid-request', errors: [{ path, message }] });
  });

  it.each([
    ['getTrustReport', ''],
    ['getTrustReport', 'detail=full&detail=full'],
    ['findEndpointSummary', 'resource=a&payTo=b&network=c'],
    ['getStats', 'utm_source=x'],
    ['getLeaderboard', 'utm_source=x'],
    ['getTrustPreview', 'utm_source=x'],
  ])('accepts %s?%s', (id, query) => {
    expect(find(id, query)).toBeNull();
  });

  it('creates a valid problem for many and long names, and for path parameters', () => {
    const names = Array.from({ length: 40 }, (_, index) => `${'\u0000`x'.repeat(900)}${index}`);
    const query = new URLSearchParams(
      [...names, '', 'id'].map((name): [string, string] => [name, '1']),
    ).toString();
    const problem = problemSchema.parse(find('getWatch', query));
    expect(problem.errors?.at(-1)?.message).toBe('32 more mistakes are not listed.');
    expect(JSON.stringify(problem).length).toBeLessThan(8_000);
  });
});

describe('readQuery', () => {
  it('returns each value as a string, and the values of a repeated parameter as a list', () => {
    expect(readQuery('https://a.example/?b=1&a=%20&b=2&c')).toEqual({ a: ' ', b: ['1', '2'], c: '' });
    expect(Object.keys(readQuery('https://a.example/?__proto__=1'))).toEqual(['__proto__']);
  });

  it('reads 40,000 names in linear time', () => {
    const query = Array.from({ length: 40_000 }, (_, index) => `a${index}=1`).join('&');
    const startedAt = performance.now();
    expect(Object.keys(readQuery(`https://a.example/?${query}`))).toHaveLength(40_000);
    // Reading all values once for each name takes several seconds.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('findEncodingHint', () => {
  it.each([
    ['resource=https://a.example/x?city=b&network=de', true],
    ['network=de&resource=https://a.example/x?city=b', false],
    ['resource=https%3A%2F%2Fa.example%2Fx%3Fcity%3Db&network=de', false],
    ['resource=https://a.example/x&network=de', false],
  ])('%s', (query, isHinted) => {
    const hint = 'If the URL in `resource` contains "&", percent-encode the URL.';
    expect(findEncodingHint(`https://touchstone.example/?${query}`)).toBe(isHinted ? hint : null);
  });
});
