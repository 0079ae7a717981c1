import { expect, it } from 'vitest';
import { formatCheckQuery, parseCheckParams, toCheckPath } from './check-params.ts';

const parse = (query: string) => parseCheckParams(new URLSearchParams(query));

it.each([
  ['url=api.example.com', 'https://api.example.com/'],
  ['url= api.example.com/v1 ', 'https://api.example.com/v1'],
  ['url=http%3A%2F%2Fapi.example.com', 'http://api.example.com'],
  ['url=weather', 'weather'],
  ['url=', null],
  [`url=https://a.example/${'x'.repeat(2_048)}`, null],
])('reads the URL of %s', (query, url) => {
  expect(parse(query).url).toBe(url);
});

it('keeps valid parameters, and names the others', () => {
  const query = 'url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y&method=POST&problem=rate-limited&wait=7';
  expect(formatCheckQuery(parse(query))).toBe(query);
  expect(parse('url=a.example&method=post').method).toBe('POST');
  const { ignored, ...params } = parse('url=a.example&method=BREW&problem=evil&wait=99999');
  expect(ignored).toEqual(['method=BREW', 'problem=evil', 'wait=99999']);
  expect(params).toEqual({ url: 'https://a.example/', method: null, problem: null, waitSeconds: null });
});

it('has one path for the page of a URL', () => {
  expect(toCheckPath('https://a.example/?x=1&y')).toBe('/check?url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y');
});
