import { expect, test } from 'vitest';
import { isRouteTemplate, readBazaar, readRouteTemplate } from './bazaar-extension.ts';

test('reads a discovery extension with any content', () => {
  const info = { input: { type: 'http' }, output: 7 };
  expect(readBazaar({ bazaar: { info, schema: true, routeTemplate: '/a/:b' } })).toMatchObject({
    info,
    schema: true,
    input: { type: 'http' },
    output: 7,
    routeTemplate: '/a/:b',
  });
  expect(readBazaar({ bazaar: 'yes' })).toMatchObject({
    extension: 'yes',
    info: undefined,
    input: undefined,
  });
  for (const none of [undefined, null, 7, [], {}, { bazaar: null }]) expect(readBazaar(none)).toBeNull();
  // A `bazaar` member inherited from a prototype is ignored.
  expect(readBazaar({ bazaar: {} })?.extension).toEqual({});
  expect(readBazaar(Object.create({ bazaar: {} }))).toBeNull();
});

test('reads only route templates that directories accept', () => {
  expect(readRouteTemplate(readBazaar({ bazaar: { routeTemplate: '/users/:id' } }))).toBe('/users/:id');
  expect(readRouteTemplate(readBazaar({ bazaar: { routeTemplate: '/users/[id]' } }))).toBeNull();
  expect(readRouteTemplate(readBazaar({}))).toBeNull();
});

test.each([
  ['/users/:id', true],
  ['/a.b/~c/%20', true],
  ['/', false],
  ['', false],
  ['users/:id', false],
  ['/users/../:id', false],
  ['/users/%2e%2e/:id', false],
  ['/users/%252e%252e/:id', false],
  ['/users/%2525/:id', false],
  ['/users/%2520/:id', true],
  ['/users/%2525252520/:id', false],
  ['/https%3A%2F%2Fevil.example', false],
  ['/users/%zz', false],
  ['/users/:id?x=1', false],
])('%s is a route template: %s', (template, expected) => {
  expect(isRouteTemplate(template)).toBe(expected);
});
