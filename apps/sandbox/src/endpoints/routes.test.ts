import { expect, test } from 'vitest';
import { loadScenario } from '../scenario/load-scenario.ts';
import { createSimulatedEndpoints } from './simulated-endpoint.ts';
import { createRouter } from './routes.ts';

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
