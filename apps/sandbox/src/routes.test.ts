import { expect, test } from 'vitest';
import { loadScenario } from './load-scenario.ts';
import { residentsOf } from './resident.ts';
import { createRouter } from './routes.ts';

const residents = residentsOf({ scenario: loadScenario(), seed: 'seed', epoch: 0 });
const route = createRouter(residents);

test('every resident is found at its own address', () => {
  for (const resident of residents) expect(route(resident.host, resident.path)?.resident).toBe(resident);
});

test('an item is found under its template, a literal path before it', () => {
  expect(route('quotable.sandbox.test', '/SAP/quote')).toMatchObject({ item: 'SAP' });
  expect(route('quotable.sandbox.test', '/v1/equities/quote')).toMatchObject({ item: '' });
});

test.each([
  ['quotable.sandbox.test', '/v1/nothing'],
  ['skyfall.sandbox.test', '/v2/current/'],
  ['nobody.sandbox.test', '/v2/current'],
  ['', ''],
])('nobody is at %s%s', (host, path) => {
  expect(route(host, path)).toBeNull();
});
