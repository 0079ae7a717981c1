import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCheck, readMessages } from '../../testing/schema-checks.ts';
import { WATCH_EVENT_TYPES } from '../../events/watch-event-table.ts';
import { WATCH_ID_EXAMPLE } from './watch-ids.ts';
import {
  watchCreateInputSchema,
  watchEditSchema,
  watchEventsQuerySchema,
  watchRenewInputSchema,
} from './requests.ts';

const endpoint = 'https://api.example.com/v1/weather';
const hook = (name: string): string => `https://example.com/${name}`;
const hooks = (...names: readonly string[]): string[] => names.map(hook);
const acceptsCreate = createCheck('watch-create-request');
const acceptsEdit = createCheck('watch-edit-request');

const create = (body: unknown) => watchCreateInputSchema.safeParse({ body, query: {}, params: {} }).data;
const createWith = (delivery: unknown) => create({ endpoint, delivery });
/** Returns the messages for a request with these members. The published schema must also refuse the request. */
const readCreateMessages = (members: object): readonly string[] => {
  expect(acceptsCreate({ endpoint, ...members })).toBe(false);
  return readMessages(watchCreateInputSchema, { body: { endpoint, ...members } });
};

describe('a request for a watch', () => {
  it('needs an endpoint only', () => {
    expect(create({ endpoint })).toEqual({
      endpoint,
      events: [...WATCH_EVENT_TYPES],
      livenessSensitivityN: 2,
      webhookUrls: [],
      chatUrls: [],
    });
    expect(acceptsCreate({ endpoint })).toBe(true);
  });

  it('has its types of alerts in a fixed order', () => {
    const types = fc.uniqueArray(fc.constantFrom(...WATCH_EVENT_TYPES), { minLength: 1 });
    fc.assert(
      fc.property(types, (events) => {
        const expected = WATCH_EVENT_TYPES.filter((type) => events.includes(type));
        expect(create({ endpoint, events })?.events).toEqual(expected);
        expect(acceptsCreate({ endpoint, events })).toBe(true);
      }),
    );
  });

  const EVENTS = '`events` must be a list of at least 1 type of event, each at most once';
  it.each([
    [[], `${EVENTS}; received a list of 0 items.`],
    [['delisting', 'delisting'], `${EVENTS}; received a list of 2 items.`],
    ['delisting', `${EVENTS}; received "delisting".`],
    [
      ['created'],
      '`events.0` must be "payto_change", "price_change", "asset_network_change", "spec_regression", "delisting", "liveness_down" or "liveness_recovered"; received "created".',
    ],
  ])('cannot have the events %j', (events, message) => {
    expect(readCreateMessages({ events })).toEqual([message]);
  });

  it('has a sensitivity from 1 to 10', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -3, max: 14 }), fc.double()), (n) => {
        const isValid = Number.isInteger(n) && n >= 1 && n <= 10;
        expect(acceptsCreate({ endpoint, liveness_sensitivity_n: n })).toBe(isValid);
      }),
    );
    expect(readCreateMessages({ liveness_sensitivity_n: 11 })).toEqual([
      '`liveness_sensitivity_n` must be a whole number from 1 to 10; received 11.',
    ]);
  });

  it('cannot have unknown members at any level', () => {
    expect(readCreateMessages({ event: [] })).toEqual([
      '`event` is not a field of the request body. Remove it or correct its name.',
    ]);
    expect(readCreateMessages({ delivery: { discord_url: hook('a') } })).toEqual([
      '`discord_url` is not a field of `delivery`. Remove it or correct its name.',
    ]);
  });
});

describe('the delivery', () => {
  it('accepts one URL or a list in each member', () => {
    const delivery = {
      webhook_url: hooks('a', 'b'),
      webhook_urls: hook('c'),
      slack_url: hook('d'),
      slack_urls: hooks('e'),
    };
    expect(createWith(delivery)).toMatchObject({
      webhookUrls: [
        { url: hook('a'), path: 'delivery.webhook_url.0' },
        { url: hook('b'), path: 'delivery.webhook_url.1' },
        { url: hook('c'), path: 'delivery.webhook_urls' },
      ],
      chatUrls: [
        { url: hook('d'), path: 'delivery.slack_url' },
        { url: hook('e'), path: 'delivery.slack_urls.0' },
      ],
    });
    expect(acceptsCreate({ endpoint, delivery })).toBe(true);
  });

  it('has each destination once, at its first path', () => {
    const delivery = {
      webhook_url: 'https://EXAMPLE.com.:443/a#x',
      webhook_urls: hooks('a', 'b'),
      slack_url: hook('a'),
    };
    expect(createWith(delivery)).toMatchObject({
      webhookUrls: [
        { url: hook('a'), path: 'delivery.webhook_url' },
        { url: hook('b'), path: 'delivery.webhook_urls.1' },
      ],
      chatUrls: [{ url: hook('a'), path: 'delivery.slack_url' }],
    });
  });

  it('has at most 5 different URLs of each kind', () => {
    const five = { webhook_url: hook('a'), webhook_urls: hooks('b', 'c', 'd', 'e') };
    const chats = { slack_urls: hooks('a', 'b', 'c', 'd', 'e') };
    expect(createWith({ ...five, ...chats })?.webhookUrls).toHaveLength(5);
    expect(createWith({ ...five, webhook_urls: hooks('a', 'b', 'c', 'd', 'e') })?.webhookUrls).toHaveLength(
      5,
    );
    const read = (delivery: object) => readMessages(watchCreateInputSchema, { body: { endpoint, delivery } });
    expect(read({ ...five, webhook_url: hooks('x', 'y') })).toEqual([
      '`delivery.webhook_urls` must be a list of at most 5 different URLs together with `webhook_url`; received a list of 4 items.',
    ]);
    expect(read({ slack_url: hooks('1', '2', '3'), slack_urls: hooks('4', '5', '6') })).toEqual([
      '`delivery.slack_urls` must be a list of at most 5 different URLs together with `slack_url`; received a list of 3 items.',
    ]);
  });

  it.each([
    ['webhook_urls', hooks('a', 'b', 'c', 'd', 'e', 'f'), 'a list of 6 items'],
    ['webhook_url', 7, '7'],
    ['webhook_url', null, 'null'],
    ['webhook_url', {}, 'an empty object'],
    ['webhook_url', [hook('a'), 7], 'a list of 2 items'],
  ])('cannot have the %s %j', (member, value, received) => {
    expect(readCreateMessages({ delivery: { [member]: value } })).toEqual([
      `\`delivery.${member}\` must be an https URL, or a list of at most 5 https URLs; received ${received}.`,
    ]);
  });

  it('names each wrong URL by its path, and does not repeat it, because it may be a secret', () => {
    const secret = 'http://hooks.slack.com/services/T0/B0/secret';
    const messages = readCreateMessages({
      delivery: { webhook_urls: [hook('a'), 'https://localhost/secret'], slack_url: secret },
    });
    expect(messages).toEqual([
      '`delivery.webhook_urls.1` must be an https URL on a public host, not localhost (a name without a dot); received a value of 24 characters.',
      '`delivery.slack_url` must be an https URL on a public host, such as https://example.com/alerts; received a value of 44 characters.',
    ]);
  });
});

describe('an edit of a watch', () => {
  it('has only the settings of the request', () => {
    expect(watchEditSchema.parse({ events: ['delisting', 'payto_change'] })).toEqual({
      events: ['payto_change', 'delisting'],
    });
    expect(watchEditSchema.parse({ liveness_sensitivity_n: 10 })).toEqual({ livenessSensitivityN: 10 });
    expect(watchEditSchema.parse({ delivery: { slack_url: hook('a') } })).toEqual({
      chatUrls: [{ url: hook('a'), path: 'delivery.slack_url' }],
    });
  });

  it('removes all URLs of a kind with an empty list', () => {
    expect(watchEditSchema.parse({ delivery: { webhook_urls: [] } })).toEqual({ webhookUrls: [] });
    expect(acceptsEdit({ delivery: { webhook_urls: [] } })).toBe(true);
  });

  it.each([
    [
      {},
      'The request body must be an object with at least one of `events`, `liveness_sensitivity_n` and `delivery`; received an empty object.',
    ],
    [
      { delivery: {} },
      '`delivery` must be an object with at least one of `webhook_url`, `webhook_urls`, `slack_url` and `slack_urls`; received an empty object.',
    ],
    [
      { endpoint, events: ['delisting'] },
      '`endpoint` is not a field of the request body. Remove it or correct its name.',
    ],
    [[], 'The request body must be a JSON object; received a list of 0 items.'],
  ])('cannot be %j', (body, message) => {
    expect(readMessages(z.object({ body: watchEditSchema }), { body })).toEqual([message]);
    expect(acceptsEdit(body)).toBe(false);
  });
});

describe('a renewal', () => {
  it('needs the id of a watch in its path', () => {
    const request = { body: {}, query: {}, params: { id: WATCH_ID_EXAMPLE } };
    expect(watchRenewInputSchema.parse(request)).toEqual({ id: WATCH_ID_EXAMPLE });
    expect(readMessages(watchRenewInputSchema, { ...request, params: { id: 'w_1\u0000' } })).toEqual([
      `\`id\` must be the id of a watch, such as ${WATCH_ID_EXAMPLE}; received "w_1\\u{0}".`,
    ]);
  });
});

describe('the query of a poll', () => {
  it('has two optional cursors', () => {
    const since = 'evt_k5xgq2dlmvzw433bnz2gs3tbme_0';
    expect(watchEventsQuerySchema.parse({})).toEqual({});
    expect(watchEventsQuerySchema.parse({ since, watch_since: since })).toEqual({
      since,
      watch_since: since,
    });
  });

  it.each(['', '0', '7', 'evt_1', ['evt_k5xgq2dlmvzw433bnz2gs3tbme_0']])(
    'cannot have the cursor %j',
    (since) => {
      expect(watchEventsQuerySchema.safeParse({ since }).success).toBe(false);
    },
  );
});
