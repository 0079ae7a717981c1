import { ECOSYSTEM_EVENTS, ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { FLAG_CATALOGUE } from '@touchstone/trust';
import type { ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { NEWEST_EVENTS, type EventParams } from './event-params.ts';
import { createEvent } from '../../testing/events.ts';
import { extractText } from '../../testing/html-text.ts';
import { Events } from './events.tsx';

const render = (events: readonly EcosystemEvent[], props: Partial<ComponentProps<typeof Events>> = {}) =>
  renderToStaticMarkup(
    <Events
      params={NEWEST_EVENTS}
      ignored={[]}
      subject={null}
      page={{ events, next: null }}
      counts={{
        'takeover-suspected': 1_200,
        'paid-not-delivered': 0,
        'price-spike': 0,
        delisted: 2,
        outage: 3,
      }}
      {...props}
    />,
  );

describe('Events', () => {
  it('links the endpoint of an event, and says what happened with its time', () => {
    const html = render([createEvent()]);
    expect(html).toContain('href="/endpoint/api-example-com-weather-xvdduuxtfa"');
    expect(html).toContain('id="event-7"');
    const text = extractText(html);
    expect(text).toContain('Outage api.example.com/weather Current verdict: Caution B 08:20 UTC');
    expect(html).not.toContain('/provider/');
  });

  it('lists an event that was found late on the day of its first change', () => {
    const late = { at: '2026-11-19T22:00:00.000Z', updatedAt: '2026-11-20T09:05:00.000Z', endpoints: 2 };
    const text = extractText(render([createEvent(late), createEvent()]));
    expect(text).toMatch(/2026-11-20 Outage .* 08:20 UTC .*2026-11-19 Outage .* from 22:00 UTC /);
    expect(text).toContain('Latest update 2026-11-20 09:05 UTC');
  });

  it('sorts the events of a day by time, latest first', () => {
    const early = createEvent({ id: '2', at: '2026-11-20T09:01:00.000Z' });
    const late = createEvent({ id: '1', at: '2026-11-20T20:31:00.000Z' });
    expect(extractText(render([early, late]))).toMatch(/20:31 UTC .* 09:01 UTC/);
  });

  it('shows the current listing and verdict beside an old event', () => {
    const html = render([createEvent({ kind: 'delisted', grade: 'A', recommendation: 'proceed' })]);
    expect(extractText(html)).toContain(', listed again Current verdict: Proceed A');
  });

  it('says that the outage of one endpoint has ended, but not that of several', () => {
    const [one, several] = [1, 2].map((endpoints) =>
      extractText(render([createEvent({ endpoints, failingSince: null })])),
    );
    expect(one).toContain('api.example.com/weather , up again');
    expect(several).not.toContain(', up again');
  });

  it('links the provider of an event with several endpoints', () => {
    const html = render([createEvent({ kind: 'takeover-suspected', endpoints: 1_200 })]);
    expect(html).toContain('href="/provider/api.example.com"');
    expect(extractText(html)).toContain(
      'payTo changed api.example.com/weather and 1,199 other endpoints of api.example.com ',
    );
  });

  it('has a heading for each UTC day', () => {
    const html = render([
      createEvent({ id: '2', at: '2026-11-20T00:10:00.000Z' }),
      createEvent({ id: '1', at: '2026-11-19T23:50:00.000Z' }),
    ]);
    expect(html.match(/<h2 id="day-[\d-]+"/g)).toEqual([
      '<h2 id="day-2026-11-20"',
      '<h2 id="day-2026-11-19"',
    ]);
  });

  it('explains every kind, and names no flag', () => {
    const html = render(ECOSYSTEM_EVENT_KINDS.map((kind, index) => createEvent({ id: String(index), kind })));
    const text = extractText(html);
    for (const kind of ECOSYSTEM_EVENT_KINDS) expect(text).toContain(ECOSYSTEM_EVENTS[kind].meaning);
    // Three kinds of events have the same URL name as a flag, so the page may contain these names.
    const kinds: readonly string[] = ECOSYSTEM_EVENT_KINDS;
    const slugs = FLAG_CATALOGUE.map(({ slug }) => slug).filter((slug) => !kinds.includes(slug));
    expect(slugs.filter((slug) => html.includes(slug))).toEqual([]);
  });

  it('says how many events each kind has', () => {
    expect(extractText(render([createEvent()]))).toContain(
      'All events 1,205 payTo changed 1,200 Paid, not delivered 0 Price spike 0 Delisted 2 Outage 3 ',
    );
  });

  it('links each event to the page that begins with the event', () => {
    expect(render([createEvent({ id: '7' })])).toContain('href="/events?before=7#event-7"');
  });

  it('marks the chosen kind, and keeps it on the next page', () => {
    const params: EventParams = { ...NEWEST_EVENTS, kind: 'outage' };
    const html = render([createEvent()], { params, page: { events: [createEvent()], next: '1-2' } });
    expect(html).toMatch(/href="\/events\?kind=outage" aria-current="page"/);
    expect(
      html.match(/aria-current="page"[^>]*href="\/events\?|href="\/events\?[^>]*aria-current/g),
    ).toHaveLength(1);
    expect(html).toContain('href="/events?kind=outage&amp;before=1-2" rel="next"');
    expect(html).not.toContain('Newest events');
  });

  it('names and links the endpoint of a filter, and keeps the filter in every link', () => {
    const params: EventParams = { ...NEWEST_EVENTS, endpoint: 'weather-xvdduuxtfa', before: '1-2' };
    const subject = {
      kind: 'endpoint',
      name: 'api.example.com/weather',
      path: '/endpoint/a-xvdduuxtfa',
    } as const;
    const html = render([createEvent()], { params, subject, page: { events: [createEvent()], next: '3-4' } });
    expect(extractText(html)).toContain('What changed at api.example.com/weather');
    expect(html).toMatch(/<h1[^>]*>[^<]*<a href="\/endpoint\/a-xvdduuxtfa">/);
    for (const query of ['', '&amp;kind=outage', '&amp;before=3-4'])
      expect(html).toContain(`href="/events?endpoint=weather-xvdduuxtfa${query}"`);
    for (const format of ['atom', 'json'])
      expect(html).toContain(`href="/events.${format}?endpoint=weather-xvdduuxtfa"`);
    const none = render([], { params: { ...params, before: null }, subject });
    expect(none).toContain('<a href="/events">All events</a>');
  });

  it('leads from an older page to the newest events', () => {
    const params: EventParams = { ...NEWEST_EVENTS, before: '1-2' };
    const html = render([createEvent()], { params });
    expect(html).toContain('<a href="/events" class="inline-block py-2">Newest events</a>');
    expect(html).not.toContain('Latest update <');
    expect(extractText(render([], { params }))).toContain('No older events');
  });

  it('says that there are no events', () => {
    expect(extractText(render([]))).toContain('No events yet');
    const params: EventParams = { ...NEWEST_EVENTS, kind: 'price-spike' };
    expect(extractText(render([], { params }))).toContain('No event of the kind “Price spike”');
  });

  it('names ignored values as text', () => {
    const text = extractText(render([], { ignored: ['kind=<b>', 'before=x'] }));
    expect(text).toContain('These values are not valid: kind=<b>, before=x .');
  });
});
