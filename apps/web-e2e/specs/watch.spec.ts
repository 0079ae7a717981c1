import type { Locator, Page } from '@playwright/test';
import { figure } from '../support/pages/figure.ts';
import { expectAccessible, expectFit, expectNoLayoutShift } from '../support/pages/layout.ts';
import { expect, test } from '../support/site.ts';
import {
  buyWatch,
  callWatch,
  createReceiverUrls,
  listReceived,
  WATCHED_ENDPOINT,
} from '../support/watches.ts';

const MAX_TABS = 60;
/**
 * Maximum time until the page shows a new event, in milliseconds. The time includes one delivery run of the service and
 * one refresh of the page.
 */
const REFRESH_TIMEOUT_MS = 60_000;
const OTHER_SECRET = `wsk_${'A'.repeat(43)}`;

const findIdField = (page: Page) => page.getByLabel('Watch id');
const findSecretField = (page: Page) => page.getByLabel('Secret');
const findTimeline = (page: Page) => page.getByRole('region', { name: 'Timeline' });
/** Finds the message of the page. The search of the header and the copy buttons have statuses of their own. */
const findStatus = (page: Page) => page.getByRole('main').getByRole('status').filter({ visible: true });

/** Moves the focus to an element with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Opens a watch with the keyboard only: types the id and the secret of the watch into the form. */
async function open(page: Page, id: string, secret: string): Promise<void> {
  await tabTo(page, findIdField(page));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(id);
  await page.keyboard.press('Tab');
  await expect(findSecretField(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(secret);
  await page.keyboard.press('Enter');
}

/** Expects the page to be no wider than a phone screen, and to be accessible in both themes. */
async function expectGoodLayout(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFit(page);
  await expectAccessible(page);
}

/** Reads everything that the browser stores for the site, and the URLs of the tab. */
async function readStoredText(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => ({
    url: location.href,
    state: history.state as unknown,
    title: document.title,
    name: window.name,
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    entries: performance.getEntries().map((entry) => entry.name),
  }));
  return JSON.stringify([stored, await page.context().storageState({ indexedDB: true })]);
}

test('every page links to the page, and the watch opens with its id and secret by keyboard', async ({
  page,
  complaints,
}) => {
  const { watch_id: id, secret } = await buyWatch();
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Watch', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/watch$/);
  await open(page, 'w_short', secret);
  await expect(page.getByText('The id begins with w_ and has 28 characters.')).toBeVisible();
  await expect(findIdField(page)).toBeFocused();
  await open(page, id, OTHER_SECRET);
  await expect(page.getByRole('alert')).toContainText('No watch has this id and this secret.');
  await expect(findSecretField(page)).toBeFocused();
  // The browser logs an error for the status 401. The test expects this error and removes it from `complaints`.
  expect(complaints.splice(0).join()).toContain('401');

  await open(page, `${page.url()}/${id}/events`, secret);
  const heading = page.getByRole('heading', { level: 2, name: 'Watch of' });
  await expect(heading).toContainText(WATCHED_ENDPOINT);
  await expect(heading).toBeFocused();
  await expect(figure(page, 'State')).toContainText('Active');
  await expect(figure(page, 'Sensitivity')).toContainText('2 missed probes');
  await expect(figure(page, 'Events')).toContainText('7 of 7 types');
  await expect(findTimeline(page).getByRole('listitem')).toHaveText([/Watch created/]);

  await tabTo(page, page.getByRole('button', { name: 'Lock and remove the secret' }));
  await page.keyboard.press('Enter');
  await expect(findStatus(page)).toHaveText('Locked. The secret was removed from this page.');
  await expect(findIdField(page)).toBeFocused();
  await expect(findSecretField(page)).toHaveValue('');
});

test('if the script does not load, the form looks unusable and the page names other ways', async ({
  page,
  complaints,
}) => {
  await page.route('**/watch.js', (route) => route.abort());
  await page.goto('/watch');
  await expect(page.getByText('Without this form')).toBeVisible();
  const button = page.getByRole('button', { name: 'Open the watch', includeHidden: true });
  const cursor = await button.evaluate((element) => {
    element.scrollIntoView();
    const { x, y } = element.getBoundingClientRect();
    return getComputedStyle(document.elementFromPoint(x + 5, y + 5) ?? element).cursor;
  });
  expect(cursor).toBe('not-allowed');
  await expect(page.locator('main form')).toHaveCSS('opacity', '0.5');
  await expectNoLayoutShift(page);
  // The browser logs the aborted request. The test expects this error and removes it from `complaints`.
  expect(complaints.splice(0).join()).toContain('ERR_FAILED');
});

test('the owner edits and cancels the watch by keyboard, and sees the deliveries', async ({ page }) => {
  const { path, webhook, slack } = createReceiverUrls();
  const { watch_id: id, secret } = await buyWatch({
    delivery: { webhook_url: webhook, slack_url: slack },
  });
  await page.goto('/watch');
  await open(page, id, secret);
  const settings = page.getByRole('region', { name: 'Settings' });
  await tabTo(page, settings.getByRole('checkbox', { name: /^Price changed/ }));
  await page.keyboard.press('Space');
  await tabTo(page, settings.getByRole('combobox', { name: /^Missed probes in a row/ }));
  await page.keyboard.type('4');
  await tabTo(page, settings.getByRole('button', { name: 'Save the settings' }));
  await page.keyboard.press('Enter');
  await expect(settings.getByRole('status')).toHaveText('Saved.');
  await expect(figure(page, 'Sensitivity')).toContainText('4 missed probes');
  await expect(figure(page, 'Events')).toContainText('6 of 7 types');
  await expect(findTimeline(page).getByRole('listitem')).toHaveText([/Settings changed/, /Watch created/]);
  const edited: unknown = await (await callWatch({ id, secret })).json();
  expect(edited).toMatchObject({
    liveness_sensitivity_n: 4,
    events: expect.not.arrayContaining(['price_change']),
    delivery: { webhooks: [{ status: 'active' }], chats: [{ status: 'active' }] },
  });

  const cancel = page.getByRole('button', { name: 'Cancel this watch…' });
  await tabTo(page, cancel);
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.keyboard.press('Enter');
  await expect(cancel).toBeFocused();
  await expect(figure(page, 'State')).toContainText('Active');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.keyboard.press('Enter');
  await expect(figure(page, 'State')).toContainText('Cancelled');
  await expect(page.getByRole('heading', { level: 2, name: 'Watch of' })).toBeFocused();
  await expect(page.getByText('A cancelled watch cannot be renewed.')).toBeVisible();
  await expect(findTimeline(page).getByRole('listitem').first()).toContainText('Watch cancelled');
  await expect(cancel).toHaveCount(0);

  const attempts = page.getByRole('region', { name: 'Delivery attempts', exact: true }).getByRole('row');
  await expect(attempts.filter({ hasText: 'Watch cancelled' })).toHaveCount(2, {
    timeout: REFRESH_TIMEOUT_MS,
  });
  await expect(attempts.filter({ hasText: 'Delivered' })).toHaveCount(2);
  const received = (await listReceived(path)).filter(({ type }) => type !== 'connection_test');
  expect(received.map(({ channel }) => channel)).toEqual(expect.arrayContaining(['webhook', 'slack']));
  await expect(page.getByText(path)).toHaveCount(0);
});

test('the secret is only in a header, and a reload removes it', async ({ page }) => {
  const { watch_id: id, secret } = await buyWatch();
  const urls: string[] = [];
  const bodies: string[] = [];
  const authorizations: Promise<string | null>[] = [];
  page.on('request', (request) => {
    urls.push(request.url());
    bodies.push(request.postData() ?? '');
    if (request.url().includes('/api/trpc/')) authorizations.push(request.headerValue('authorization'));
  });
  page.on('framenavigated', (frame) => urls.push(frame.url()));
  await page.goto('/watch');
  await open(page, id, secret);
  await expect(findTimeline(page).getByRole('listitem')).toHaveText([/Watch created/]);
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('checkbox', { name: /^No longer listed/ }).uncheck();
  await settings.getByRole('button', { name: 'Save the settings' }).click();
  await expect(settings.getByRole('status')).toHaveText('Saved.');

  const sent = await Promise.all(authorizations);
  expect(sent.length).toBeGreaterThanOrEqual(4);
  expect(new Set(sent)).toEqual(new Set([`Bearer ${secret}`]));
  expect([...urls, ...bodies].filter((text) => text.includes(secret))).toEqual([]);
  expect(urls.filter((url) => url.includes(id))).toEqual([]);
  const stored = await readStoredText(page);
  expect(stored).toContain('/watch');
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(id);
  expect(await page.content()).not.toContain(secret);

  await page.reload();
  await expect(findSecretField(page)).toHaveValue('');
  await expect(findTimeline(page)).toHaveCount(0);
  await page.goBack();
  await page.goForward();
  await expect(page.locator('body')).not.toContainText(WATCHED_ENDPOINT);
});

test('the page fits the screen and is accessible in all of its states', async ({ page, complaints }) => {
  const { webhook, slack, discord } = createReceiverUrls();
  const delivery = { webhook_url: webhook, slack_urls: [slack, discord] };
  const { watch_id: id, secret } = await buyWatch({ delivery });
  await page.goto('/watch');
  await open(page, 'w_short', 'wsk_short');
  await expect(page.getByText('The secret begins with wsk_')).toBeVisible();
  await expectGoodLayout(page);

  await open(page, id, secret);
  await expect(findTimeline(page).getByRole('listitem')).toHaveText([/Watch created/]);
  for (const kind of ['webhook', 'chat'])
    await page.getByRole('checkbox', { name: `Replace all ${kind} URLs` }).check();
  await page.getByRole('textbox', { name: 'New chat URLs' }).fill('http://localhost/');
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByRole('button', { name: 'Cancel this watch…' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was changed.');
  // The browser also logs the status 400 as a console error. This error is expected.
  expect(complaints.splice(0).join()).toContain('400');
  await expectGoodLayout(page);

  await callWatch({ id, secret, method: 'DELETE' });
  const attempts = page.getByRole('region', { name: 'Delivery attempts', exact: true }).getByRole('row');
  await expect(attempts.filter({ hasText: 'Delivered' })).toHaveCount(3, { timeout: REFRESH_TIMEOUT_MS });
  await expect(figure(page, 'State')).toContainText('Cancelled');
  await expectGoodLayout(page);
});
