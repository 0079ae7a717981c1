import { expect, test } from 'vitest';
import { routeTemplate, templateItem, templateParameters } from './path-template.ts';

test.each([
  ['/v1/users/{userId}', ['userId'], '/v1/users/:userId'],
  ['/:symbol/quote', ['symbol'], '/:symbol/quote'],
  ['/v2/works/%7Bid%7D/provenance', ['id'], '/v2/works/:id/provenance'],
  ['/v1/plain', [], '/v1/plain'],
])('reads %s', (path, parameters, route) => {
  expect(templateParameters(path)).toEqual(parameters);
  expect(routeTemplate(path)).toBe(route);
});

test('finds the item of a path', () => {
  expect(templateItem('/v1/users/{userId}', '/v1/users/42')).toBe('42');
  expect(templateItem('/:a/of/:b', '/x/of/y')).toBe('x/y');
});

test.each(['/v1/users', '/v1/users/', '/v1/users/42/posts', '/v2/users/42'])('%s is no item', (path) => {
  expect(templateItem('/v1/users/{userId}', path)).toBeNull();
});

test('the template itself is an item too: servers match any segment', () => {
  expect(templateItem('/v1/users/{userId}', '/v1/users/{userId}')).toBe('{userId}');
});
