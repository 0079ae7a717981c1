import { formatUsd } from '@touchstone/common';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readFigure, readText } from '../support/pages/page-text.ts';
import { storeOldEvents } from '../support/service-files.ts';
import { request, requestPage } from '../support/site-request.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const DOWN = toEndpointPath('https://retiree.sandbox.test/v1/stocks/tips');
/**
 * Maximum difference between the shown 30-day uptime and the 30-day uptime that is computed from the daily uptimes, in
 * percentage points. The shown values are rounded.
 */
const MAX_ROUNDING = 0.3;
const FEED = '/events.atom';
const feedSchema = z.object({ items: z.array(z.object({ id: z.url(), url: z.url() })) });
/** Maximum number of events on a page. */
const EVENTS_PER_PAGE = 50;
/**
 * Number of days in the history of the shared service. The history begins in the middle of a UTC day, so it covers 14
 * or 15 UTC days.
 */
const HISTORY_DAYS = 14;

async function readPage(path: string): Promise<string> {
  const response = await requestPage(path);
  expect(response.status, path).toBe(200);
  return response.text();
}

/** Returns the rows of a table. Each row is a list of the texts of its cells. */
const readRows = (table: string): readonly (readonly string[])[] =>
  [...table.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => readText(cell)),
  );

it('the numbers of a provider agree with its list of endpoints', async () => {
  const html = await readPage('/provider/fxline.sandbox.test');
  const [, count] = /\d+ of (\d+) endpoints ha/.exec(readText(html)) ?? [];
  const list = html.slice(html.indexOf('<h2 id="endpoints"'));
  expect(new Set(list.match(/href="\/endpoint\/[^"#]*"/g)).size).toBe(Number(count));
  expect(html).toContain('href="/explore?host=fxline.sandbox.test&amp;status=all"');
});

/** Reads the table of a chart of the statistics, newest day first. */
async function readChart(title: string): Promise<readonly (readonly string[])[]> {
  const html = await readPage('/trust/stats');
  expect(html).toContain(`<figure data-chart="${title}"`);
  const [, table = ''] = html.split(`aria-label="Table: ${title}"`);
  return readRows(/<tbody.*?<\/tbody>/s.exec(table)?.[0] ?? '');
}

it.each([
  ...['Reachable and compliant endpoints', 'Catalog', 'Price per call of listed endpoints'],
  ...['Grades', 'Recommendations', 'Accepted networks'],
])('the chart “%s” has each simulated day', async (title) => {
  const rows = await readChart(title);
  const days = rows.map(([day = '']) => day);
  expect(days.length).toBeGreaterThanOrEqual(HISTORY_DAYS);
  expect(days).toEqual([...new Set(days)].sort().reverse());
  expect(rows[0]?.join()).not.toContain('no data');
});

it('the settled volume of the page is that of the JSON', async () => {
  const stats = (await (await request('/trust/stats.json')).json()) as Record<string, unknown>;
  const volume = String(stats['settledVolumeUsd30d']);
  expect(Number(volume)).toBeGreaterThan(0);
  const html = await readPage('/trust/stats');
  expect(readFigure(html, 'Settled volume, last 30 days')).toBe(formatUsd(volume));
  expect(readFigure(html, 'Payers, last 30 days')).toBe(String(stats['payers30d']));
  expect(readFigure(html, 'Receivers, last 30 days')).toBe(String(stats['receivers30d']));
});

it.each([HEALTHY, DOWN])('the daily uptime of %s adds up to its 30-day uptime', async (path) => {
  const html = await readPage(path);
  const [, table = ''] = html.split('aria-label="Table: Daily uptime"');
  const days = readRows(/<tbody.*?<\/tbody>/s.exec(table)?.[0] ?? '').map(([day, uptime = '', probes]) => ({
    day,
    probes: Number(probes),
    // A day without a scored probe has the text "none scored".
    up: ((Number.parseFloat(uptime) || 0) * Number(probes)) / 100,
  }));
  expect(new Set(days.map(({ day }) => day)).size).toBeGreaterThanOrEqual(HISTORY_DAYS);
  const scored = days.reduce((sum, { probes }) => sum + probes, 0);
  const uptime = (100 * days.reduce((sum, { up }) => sum + up, 0)) / scored;
  expect(scored).toBeGreaterThan(100);
  const shown = Number.parseFloat(readFigure(html, 'Uptime '));
  expect(Math.abs(shown - uptime)).toBeLessThan(MAX_ROUNDING);
});

/** Reads the ids, the times of the first changes and the labels of the events on a page. */
async function readEvents(path: string) {
  const html = await readPage(path);
  const events = [...html.matchAll(/<li id="event-(.*?)<\/li>/gs)].map(([, event = '']) => event);
  return {
    html,
    events: events.map((event) => ({
      id: /^\d+/.exec(event)?.[0],
      at: /dateTime="([^"]*)"/.exec(event)?.[1] ?? '',
      label: /<strong>(.*?)<\/strong>/.exec(event)?.[1],
      endpoint: /href="(\/endpoint\/[^"]*)"/.exec(event)?.[1],
    })),
  };
}

it('events are listed by day, and older events follow the newest without a gap', async () => {
  const { html } = await readEvents('/events');
  const days = [...html.matchAll(/<h2[^>]*>.*?<time dateTime="([^"]*)"/g)].map(([, day]) => day);
  expect(days.length).toBeGreaterThan(1);
  expect(days).toEqual([...new Set(days)].sort().reverse());

  const endpointId = HEALTHY.slice(-10);
  const stored = await storeOldEvents({ kind: 'delisted', endpointId, count: EVENTS_PER_PAGE + 1 });
  const newest = await readEvents('/events?kind=delisted');
  expect(newest.events).toHaveLength(EVENTS_PER_PAGE);
  const [, older = ''] = /href="(\/events\?kind=delisted&amp;before=\d+-\d+)"/.exec(newest.html) ?? [];
  const all = [...newest.events, ...(await readEvents(older.replace('&amp;', '&'))).events];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { at } of all) expect(at).toMatch(/^\d{4}-/);
  const eventDays = all.map(({ at }) => at.slice(0, 10));
  expect(eventDays).toEqual(eventDays.toSorted().reverse());
  expect(all.flatMap(({ id = '' }) => (stored.includes(id) ? [id] : []))).toEqual(stored);
  expect(all.at(-1)?.endpoint).toBe(HEALTHY);
});

it('the feed is linked, and its entries lead to endpoint pages', async () => {
  expect(await readPage('/events')).toMatch(/type="application\/atom\+xml"[^>]*href="[^"]*\/events\.atom"/);
  const response = await request(FEED);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const [, entry = ''] = (await response.text()).split('<entry>');
  const [, link = ''] = /<link [^>]*href="([^"]*)"/.exec(entry) ?? [];
  expect((await request(new URL(link).pathname)).status).toBe(200);
  expect((await request(FEED, { method: 'POST' })).status).toBe(405);
});

it('an endpoint and its host have a page and a feed of their own events', async () => {
  const [event] = (await readEvents('/events?kind=outage')).events;
  const path = event?.endpoint ?? '';
  const html = await readPage(path);
  const [, feed = ''] = /href="[^"]*(\/events\.json\?endpoint=[^"]*)"/.exec(html) ?? [];
  const { items } = feedSchema.parse(await (await request(feed)).json());
  expect(items.map(({ id }) => id.split('#event-')[1])).toContain(event?.id);
  expect(new Set(items.map(({ url }) => new URL(url).pathname))).toEqual(new Set([path]));

  const [, provider = ''] = /href="(\/provider\/[^"]*)"/.exec(html) ?? [];
  const [, page = ''] = /href="(\/events\?host=[^"]*)"/.exec(await readPage(provider)) ?? [];
  expect((await readEvents(page)).events.map(({ id }) => id)).toContain(event?.id);
  expect((await requestPage('/events?host=unknown.example')).status).toBe(404);
});
