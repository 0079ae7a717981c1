import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestUntilCached } from '../support/pages/cached-response.ts';
import { startSiteInstances, type SiteInstances } from '../support/site-instances.ts';
import { request } from '../support/site-request.ts';

const START_MS = 60_000;
/** Maximum time until every instance shows a change, in milliseconds. */
const CHANGE_MS = 3_000;
const ENDPOINT = {
  ...{ id: 'instances2', resource: 'https://api.example.com/paid', host: 'api.example.com' },
  ...{ slug: 'api-example-com-paid-instances2', templated: false, first_seen_at: '2026-11-01T00:00:00Z' },
};
const SNAPSHOT = {
  ...{ endpoint_id: ENDPOINT.id, slug: ENDPOINT.slug, resource: ENDPOINT.resource, host: ENDPOINT.host },
  ...{ templated: false, first_seen: ENDPOINT.first_seen_at, computed_at: '2026-11-02T00:00:00Z' },
  ...{ content_changed_at: '2026-11-02T00:00:00Z', content_hash: 'first', days_tracked: 1, pay_on: [] },
  ...{ score: 81.5, score_low: 80, score_high: 83, grade: 'B', recommendation: 'proceed', confidence: 0.9 },
  ...{ probes_30d: 48, error_flags: 0, warning_flags: 0, listing_status: 'listed' },
};

let dataDir: string;
let site: SiteInstances;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-instances-'));
  site = await startSiteInstances(join(dataDir, 'db'), 2);
});
afterAll(async () => {
  await site.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Requests the data of a stored page in the format for the scripts of Next. `next start` sends this data. The web
 * server of the service sends the page instead.
 */
async function readScriptData(page: string) {
  const response = await request(page, { headers: { rsc: '1' }, redirect: 'follow' });
  const type = response.headers.get('content-type')?.split(';')[0];
  return [response.status, type, (await response.text()).includes('81.5')];
}

it('every instance of the site shows a change that one instance received', async () => {
  await site.fetchData('endpoints', { method: 'POST', body: ENDPOINT });
  await site.fetchData('snapshots', { method: 'POST', body: SNAPSHOT });
  const pages = site.urls.map((url) => `${url}/endpoint/${ENDPOINT.slug}`);
  for (const page of pages) {
    const readStatus = () =>
      request(page).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(readStatus, { timeout: START_MS }).toBe(200);
    const cached = await requestUntilCached(() => request(page));
    const text = await cached.text();
    expect([text.includes('81.5'), text.includes('17.3')]).toEqual([true, false]);
  }
  const [first = '', second = ''] = pages;
  expect(await readScriptData(first)).toEqual([200, 'text/x-component', true]);
  expect(await readScriptData(second)).toEqual([200, 'text/html', true]);

  const change = { score: 17.3, score_low: 15, score_high: 19, grade: 'F', recommendation: 'avoid' };
  await site.fetchData(`snapshots?endpoint_id=eq.${ENDPOINT.id}`, { method: 'PATCH', body: change });
  await site.expire(site.urls[0] ?? '', `endpoint:${ENDPOINT.id}`);
  for (const page of pages) {
    const readPage = async () => (await request(page)).text();
    await expect.poll(readPage, { timeout: CHANGE_MS, interval: 100 }).toContain('17.3');
  }
});

it('every instance logs a failed request with the id that the client sent', async () => {
  await site.stopDatabase();
  const path = '/v1/x402-trust-preview';
  for (const [number, url] of site.urls.entries()) {
    const id = `trace-${String(number)}`;
    const response = await request(`${url}${path}`, { headers: { 'x-request-id': id } });
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, id]);
    const readLine = () =>
      site
        .readLog(url)
        .split('\n')
        .find((line) => line.includes(id));
    await expect.poll(readLine).toBeDefined();
    expect(JSON.parse(readLine() ?? '')).toMatchObject({
      failed: 'GET /v1/x402-trust-preview',
      requestId: id,
    });
  }
});
