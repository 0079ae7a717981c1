import { expect, test } from 'vitest';
import { readBazaar, readRouteTemplate } from './bazaar-extension.ts';

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
