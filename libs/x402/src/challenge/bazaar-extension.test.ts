import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { readBazaar, readRouteTemplate } from './bazaar-extension.ts';
import { v2Envelope, v2Option, v2Response } from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

describe('the scheme-specific members of an option', () => {
  const readExtra = (extra: unknown): unknown => {
    const challenge: Challenge = readChallenge(v2Response(v2Envelope({ accepts: [v2Option({ extra })] })));
    return challenge.options[0]?.extra;
  };

  test('are cleaned and kept', () => {
    expect(readExtra({ name: 'USD Coin', version: '2', memo: 'a\u0000b' })).toEqual({
      name: 'USD Coin',
      version: '2',
      memo: 'a b',
    });
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['a list', ['USD Coin']],
    ['too large', { name: 'a'.repeat(5_000) }],
  ])('are null when they are %s', (_, extra) => {
    expect(readExtra(extra)).toBeNull();
  });
});

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
