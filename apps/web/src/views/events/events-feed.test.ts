import { createRequire } from 'node:module';
import { ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EcosystemEvent } from '@touchstone/store';
import { createEvent } from '../../testing/events.ts';
import type { EventFilter, FeedFormat } from './event-params.ts';
import { createEventsFeed } from './events-feed.ts';

const ORIGIN = 'https://touchstone.example';
const ALL: EventFilter = { kind: null, endpoint: null, host: null };

/** Strict XML parser that is a dependency of the feed library. It returns every element and text in a list. */
const { xml2js } = z
  .object({
    xml2js: z.custom<(xml: string, options: object) => unknown>((value) => typeof value === 'function'),
  })
  .parse(createRequire(import.meta.resolve('feed'))('xml-js'));

const one = <Shape extends z.ZodType>(schema: Shape) => z.tuple([schema]).transform(([value]) => value);
const text = one(z.object({ _text: z.tuple([z.string()]) })).transform(({ _text: [value] }) => value);
const html = one(
  z.object({ _attributes: z.object({ type: z.literal('html') }), _cdata: z.tuple([z.string()]) }),
).transform(({ _cdata: [value] }) => value);
const link = z
  .array(z.object({ _attributes: z.object({ rel: z.string().optional(), href: z.url() }) }))
  .transform((links) => links.map(({ _attributes: each }) => each));
const [id, time] = [text.pipe(z.url()), text.pipe(z.iso.datetime())];
const entry = z.object({
  ...{ id, link, title: html, summary: html, updated: time, published: time },
  category: z.array(z.object({ _attributes: z.object({ term: z.enum(ECOSYSTEM_EVENT_KINDS) }) })),
});

/** Elements that RFC 4287 requires, and further elements of the feed. */
const atomSchema = z.object({
  feed: one(
    z.object({
      _attributes: z.object({ xmlns: z.literal('http://www.w3.org/2005/Atom') }),
      ...{ id, link, title: text, updated: time, author: one(z.object({ name: text })) },
      entry: z.array(entry).default([]),
    }),
  ),
});

const parseFeed = (xml: string) => atomSchema.parse(xml2js(xml, { compact: true, alwaysArray: true })).feed;
const createFeedOf = (
  format: FeedFormat,
  events: readonly EcosystemEvent[],
  { subject = null, ...filter }: Partial<EventFilter & { readonly subject: string | null }> = {},
) => createEventsFeed(format, events, { filter: { ...ALL, ...filter }, subject, origin: ORIGIN });
const createFeed = (...events: readonly EcosystemEvent[]) => createFeedOf('atom', events);

describe('createEventsFeed', () => {
  it('has its own id, title and page for each kind', () => {
    const feed = parseFeed(createFeedOf('atom', [createEvent()], { kind: 'outage' }));
    expect([feed.id, feed.title]).toEqual([
      `${ORIGIN}/events.atom?kind=outage`,
      'Touchstone: outage of x402 endpoints',
    ]);
    expect(feed.link).toEqual([
      { rel: 'alternate', href: `${ORIGIN}/events?kind=outage` },
      { rel: 'self', href: `${ORIGIN}/events.atom?kind=outage` },
    ]);
  });

  it('names the endpoint or the host of its filter', () => {
    const endpoint = 'api-example-com-weather-xvdduuxtfa';
    const feed = parseFeed(
      createFeedOf('atom', [], { endpoint, subject: 'https://api.example.com/weather?a=1&b=<' }),
    );
    expect(feed.id).toBe(`${ORIGIN}/events.atom?endpoint=${endpoint}`);
    expect(feed.title).toBe('Touchstone: events of https://api.example.com/weather?a=1&b=<');
    const host = parseFeed(
      createFeedOf('atom', [], { host: 'a.example', subject: 'a.example', kind: 'outage' }),
    );
    expect(host.title).toBe('Touchstone: outage of a.example');
    expect(host.link).toContainEqual({
      rel: 'alternate',
      href: `${ORIGIN}/events?host=a.example&kind=outage`,
    });
  });

  it('has the same entries as a JSON feed with plain texts', () => {
    const resource = 'https://api.example.com/?a=1&lt=<2>';
    const event = createEvent({ resource, updatedAt: '2026-11-20T09:00:00.000Z' });
    expect(JSON.parse(createFeedOf('json', [event], { host: 'a.example', subject: 'a.example' }))).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Touchstone: events of a.example',
      description: expect.stringContaining('outages of monitored x402 endpoints.') as string,
      home_page_url: `${ORIGIN}/events?host=a.example`,
      feed_url: `${ORIGIN}/events.json?host=a.example`,
      authors: [{ name: 'Touchstone', url: `${ORIGIN}/` }],
      language: 'en',
      items: [
        {
          id: `${ORIGIN}/events#event-7`,
          url: `${ORIGIN}/endpoint/api-example-com-weather-xvdduuxtfa`,
          title: `Outage: ${resource}`,
          content_text: 'This endpoint was up before, and then failed two probes in a row.',
          date_published: event.at,
          date_modified: event.updatedAt,
          tags: ['outage'],
        },
      ],
    });
  });

  it('creates a valid Atom feed with a link to itself and to the page', () => {
    const feed = parseFeed(createFeed(createEvent()));
    expect(feed.id).toBe(`${ORIGIN}/events.atom`);
    expect(feed.link).toEqual([
      { rel: 'alternate', href: `${ORIGIN}/events` },
      { rel: 'self', href: `${ORIGIN}/events.atom` },
    ]);
    expect(feed.entry).toMatchObject([
      {
        id: `${ORIGIN}/events#event-7`,
        title: 'Outage: https://api.example.com/weather',
        summary: 'This endpoint was up before, and then failed two probes in a row.',
        link: [{ href: `${ORIGIN}/endpoint/api-example-com-weather-xvdduuxtfa` }],
        category: [{ _attributes: { term: 'outage' } }],
      },
    ]);
  });

  it('names the host and the number of endpoints of an event with several endpoints', () => {
    const [entry] = parseFeed(createFeed(createEvent({ kind: 'delisted', endpoints: 12 }))).entry;
    expect(entry?.title).toBe('Delisted: 12 endpoints of api.example.com');
    expect(entry?.summary).toBe(
      '12 endpoints of api.example.com left every directory that listed them. One of them is https://api.example.com/weather.',
    );
  });

  it('has the time of the newest change, and keeps the id of an event whose number of endpoints rises', () => {
    const first = createEvent({ id: '1', at: '2026-11-20T08:00:00.000Z' });
    const second = createEvent({ id: '2', at: '2026-11-20T09:00:00.000Z' });
    expect(parseFeed(createFeed(second, first)).updated).toBe(second.at);
    const raised = { ...first, endpoints: 2, updatedAt: '2026-11-20T10:00:00.000Z' };
    const feed = parseFeed(createFeed(second, raised));
    expect(feed.updated).toBe(raised.updatedAt);
    expect(feed.entry[1]).toMatchObject({
      id: `${ORIGIN}/events#event-1`,
      published: first.at,
      updated: raised.updatedAt,
    });
  });

  it('is valid and unchanging without events', () => {
    expect(parseFeed(createFeed()).entry).toEqual([]);
    expect(createFeed()).toBe(createFeed());
  });

  it('is well-formed for any text of a provider, which stays text', () => {
    const hostile = fc.oneof(
      // Arbitrary UTF-16 code units, including lone surrogates.
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      fc.constantFrom(
        ']]>',
        '<script>',
        '&lt;b&gt;',
        '\u0000\u000b',
        '\ud800',
        '"\'',
        '<!--',
        'https://a/?b=1&c=2',
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 1, max: 2 }), (host, resource, endpoints) => {
        const [entry] = parseFeed(createFeed(createEvent({ host, resource, endpoints }))).entry;
        expect(entry?.title).not.toMatch(/<(?!$)/);
        expect(entry?.summary).not.toContain('<');
      }),
    );
  });

  it('escapes a URL with a query once', () => {
    const resource = 'https://api.example.com/?a=1&lt=2';
    expect(parseFeed(createFeed(createEvent({ resource }))).entry[0]?.title).toBe(
      'Outage: https://api.example.com/?a=1&amp;lt=2',
    );
  });
});
