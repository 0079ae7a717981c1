import type { Page } from '@playwright/test';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { storeOldEvents } from '../support/service-files.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const FEED = '/events.atom';
/** Maximum number of events on a page. */
const EVENTS_PER_PAGE = 50;
const KINDS = [
  { kind: 'takeover-suspected', label: 'Takeover suspected' },
  { kind: 'price-spike', label: 'Price spike' },
  { kind: 'delisted', label: 'Delisted' },
  { kind: 'outage', label: 'Outage' },
] as const;
const getEvents = (page: Page) => page.locator('li[id^="event-"]');
const getKinds = (page: Page) => page.getByRole('navigation', { name: 'Kinds of events' });

/** Reads the ids of the events on the page, and the time of the latest update of each event. */
function readEvents(page: Page): Promise<readonly { readonly id: string; readonly at: string }[]> {
  return getEvents(page).evaluateAll((events) =>
    events.map((event) => {
      const times = [...event.querySelectorAll('time')].map(({ dateTime }) => dateTime);
      return { id: event.id, at: times.at(-1) ?? '' };
    }),
  );
}

test('the newest events are listed by day, and each links its endpoint', async ({ page }) => {
  await page.goto('/events');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What changed at x402 endpoints');
  await expect(getEvents(page).first()).toBeVisible();
  const days = await page.getByRole('main').locator('h2 time').allTextContents();
  expect(days).toEqual([...new Set(days)].sort().reverse());
  await getEvents(page).first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/endpoint\/[a-z0-9-]+-[a-z2-7]{10}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('.sandbox.test');
});

for (const { kind, label } of KINDS) {
  test(`the filter “${label}” shows only these events`, async ({ page }) => {
    await page.goto('/events');
    await getKinds(page).getByRole('link', { name: label }).click();
    await expect(page).toHaveURL(new RegExp(`/events\\?kind=${kind}$`));
    await expect(getKinds(page).locator('[aria-current=page]')).toHaveText(label);
    await expect(getEvents(page).first()).toBeVisible();
    const labels = await getEvents(page).locator('strong').allTextContents();
    expect(new Set(labels)).toEqual(new Set([label]));
  });
}

test('older events follow the newest without a gap, and lead back', async ({ page }) => {
  const path = '/events?kind=delisted';
  const endpointId = HEALTHY.slice(-10);
  const stored = await storeOldEvents({ kind: 'delisted', endpointId, count: EVENTS_PER_PAGE + 1 });
  await page.goto(path);
  await expect(getEvents(page)).toHaveCount(EVENTS_PER_PAGE);
  const newest = await readEvents(page);
  await page.getByRole('link', { name: 'Older events' }).click();
  await expect(page).toHaveURL(/\/events\?kind=delisted&before=\d+-\d+$/);
  const all = [...newest, ...(await readEvents(page))];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all).toEqual(all.toSorted((a, b) => b.at.localeCompare(a.at)));
  const isStored = ({ id }: { readonly id: string }) => stored.includes(id.replace('event-', ''));
  expect(all.filter(isStored).map(({ id }) => id.replace('event-', ''))).toEqual(stored);
  await page.getByRole('link', { name: 'Newest events' }).click();
  await expect(page).toHaveURL(new RegExp(`${path.replace('?', '\\?')}$`));
  expect(await readEvents(page)).toEqual(newest);
});

test('an old event has the current verdict of its endpoint', async ({ page }) => {
  await page.goto('/events?kind=outage');
  const event = getEvents(page).last();
  await expect(event).toContainText('This endpoint was up before, and then failed two probes in a row.');
  await expect(event).toContainText(/Verdict now: .*(?:Proceed|Caution|Avoid)/);
});

test('search engines list only the page without parameters', async ({ page, request }) => {
  await page.goto('/events');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/events$/);
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  await page.goto('/events?kind=outage');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/events$/);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, follow');
  expect((await request.get('/events?kind=outage')).headers()['cache-control']).toContain('no-store');
  expect((await request.get('/events/older')).status()).toBe(404);
});

test('an invalid value in the URL has no effect and is named', async ({ page }) => {
  await page.goto('/events?kind=earthquake&before=yesterday');
  await expect(page.getByRole('note').filter({ hasText: 'kind=earthquake, before=yesterday' })).toBeVisible();
  await expect(getEvents(page).first()).toBeVisible();
});

test('the Atom feed is valid, has an ETag, and its entries lead to endpoint pages', async ({
  page,
  request,
}) => {
  await page.goto('/events');
  const alternate = page.locator('link[rel=alternate][type="application/atom+xml"]');
  await expect(alternate).toHaveAttribute('href', /\/events\.atom$/);
  const response = await request.get(FEED);
  expect(response.headers()['content-type']).toBe('application/atom+xml; charset=utf-8');
  const feed = await page.evaluate(
    (xml) => {
      const atom = new DOMParser().parseFromString(xml, 'application/xml');
      const read = (parent: ParentNode, selector: string) =>
        [...parent.querySelectorAll(selector)].map((element) => element.textContent);
      return {
        isWellFormed: atom.querySelector('parsererror') === null,
        root: [atom.documentElement.namespaceURI, atom.documentElement.localName],
        required: ['feed > id', 'feed > title', 'feed > updated', 'feed > author > name'].map(
          (selector) => read(atom, selector).length,
        ),
        entries: [...atom.querySelectorAll('entry')].map((entry) => ({
          id: read(entry, 'id'),
          updated: read(entry, 'updated'),
          kind: entry.querySelector('category')?.getAttribute('term'),
          link: entry.querySelector('link')?.getAttribute('href') ?? '',
        })),
      };
    },
    await response.text(),
  );
  expect(feed).toMatchObject({
    isWellFormed: true,
    root: ['http://www.w3.org/2005/Atom', 'feed'],
    required: [1, 1, 1, 1],
  });
  expect(new Set(feed.entries.flatMap(({ id }) => id)).size).toBe(feed.entries.length);
  expect(feed.entries.length).toBeGreaterThan(0);
  for (const { updated, kind } of feed.entries) {
    expect(updated).toHaveLength(1);
    expect(KINDS.map((each): string => each.kind)).toContain(kind);
  }
  expect((await request.get(new URL(feed.entries[0]?.link ?? '').pathname)).status()).toBe(200);

  const etag = response.headers()['etag'] ?? '';
  const again = await request.get(FEED, { headers: { 'if-none-match': etag } });
  expect([again.status(), (await again.body()).length]).toEqual([304, 0]);
  expect((await request.post(FEED)).status()).toBe(405);
});

test('the feed of one kind has only this kind, and an unknown kind is refused', async ({ page, request }) => {
  await page.goto('/events?kind=outage');
  await expect(page.getByRole('link', { name: 'Subscribe to the Atom feed' })).toHaveAttribute(
    'href',
    '/events.atom?kind=outage',
  );
  const xml = await (await request.get(`${FEED}?kind=outage`)).text();
  const kinds = [...xml.matchAll(/<category [^>]*term="([^"]*)"/g)].map(([, kind]) => kind);
  expect(new Set(kinds)).toEqual(new Set(['outage']));
  const refused = await request.get(`${FEED}?kind=earthquake`);
  expect(refused.status()).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'invalid-request', instance: FEED });
});
