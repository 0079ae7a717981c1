import { expect, test } from 'vitest';
import { loadScenario } from '../scenario/load-scenario.ts';
import { toRouteTemplate, matchTemplate, parseTemplateParameters, createRouter } from './routes.ts';
import { createSimulatedEndpoints } from './simulated-endpoint.ts';

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

const endpoints = createSimulatedEndpoints({ scenario: loadScenario(), seed: 'seed', epoch: 0 });
const route = createRouter(endpoints);

test('finds every endpoint at its own address', () => {
  for (const endpoint of endpoints) expect(route(endpoint.host, endpoint.path)?.endpoint).toBe(endpoint);
});

test('finds an item of a template, and prefers a literal path', () => {
  expect(route('quotable.sandbox.test', '/SAP/quote')).toMatchObject({ item: 'SAP' });
  expect(route('quotable.sandbox.test', '/v1/equities/quote')).toMatchObject({ item: '' });
});

test.each([
  ['quotable.sandbox.test', '/v1/nothing'],
  ['skyfall.sandbox.test', '/v2/current/'],
  ['nobody.sandbox.test', '/v2/current'],
  ['', ''],
])('finds no endpoint at %s%s', (host, path) => {
  expect(route(host, path)).toBeNull();
});
