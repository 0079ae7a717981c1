import { expect, test } from 'vitest';
import { matchTemplate, parseTemplateParameters, toRouteTemplate } from './path-template.ts';

test.each([
  ['/v1/users/{userId}', ['userId'], '/v1/users/:userId'],
  ['/:symbol/quote', ['symbol'], '/:symbol/quote'],
  ['/v2/works/%7Bid%7D/provenance', ['id'], '/v2/works/:id/provenance'],
  ['/v1/plain', [], '/v1/plain'],
])('parses %s', (path, parameters, route) => {
  expect(parseTemplateParameters(path)).toEqual(parameters);
  expect(toRouteTemplate(path)).toBe(route);
});

test('returns the parameter values of a path', () => {
  expect(matchTemplate('/v1/users/{userId}', '/v1/users/42')).toBe('42');
  expect(matchTemplate('/:a/of/:b', '/x/of/y')).toBe('x/y');
});

test.each(['/v1/users', '/v1/users/', '/v1/users/42/posts', '/v2/users/42'])(
  'returns null for %s',
  (path) => {
    expect(matchTemplate('/v1/users/{userId}', path)).toBeNull();
  },
);

test('matches the template itself, because servers match any segment', () => {
  expect(matchTemplate('/v1/users/{userId}', '/v1/users/{userId}')).toBe('{userId}');
});
