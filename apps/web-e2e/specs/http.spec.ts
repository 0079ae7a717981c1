import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestUntilCached } from '../support/pages/cached-response.ts';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');

test('another slug of a known endpoint redirects to its page', async ({ request }) => {
  const response = await request.get(`/endpoint/old-words-${HEALTHY.slice(-10)}`, { maxRedirects: 0 });
  expect(response.status()).toBe(308);
  expect(response.headers()['location']).toBe(HEALTHY);
});

test('pages are cached', async ({ request }) => {
  const cached = await requestUntilCached(() => request.get(HEALTHY));
  expect(cached.headers()['content-security-policy']).not.toContain('unsafe-inline');
});

/** Headers of a response that may change between two requests for the same page. */
const CHANGING_HEADERS = new Set([
  'date',
  'x-nextjs-cache',
  'x-request-id',
  'etag',
  'content-length',
  'transfer-encoding',
]);

for (const encoding of ['identity', 'gzip']) {
  test(`a page from memory has the status, headers and body that Next sends: ${encoding}`, async ({
    request,
  }) => {
    const send = async () => {
      const response = await request.get('/methodology', { headers: { 'accept-encoding': encoding } });
      const headers = Object.entries(response.headers()).filter(([name]) => !CHANGING_HEADERS.has(name));
      return { status: response.status(), headers: Object.fromEntries(headers), body: await response.text() };
    };
    const first = await send();
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    for (let time = 0; time < 3; time += 1) expect(await send()).toEqual(first);
  });
}

test('the page of an unknown endpoint must not be stored', async ({ request }) => {
  for (let time = 0; time < 3; time += 1) {
    const response = await request.get('/endpoint/made-up-abcdefghij');
    expect(response.status()).toBe(404);
    expect(response.headers()['cache-control']).toBe(
      'private, no-cache, no-store, max-age=0, must-revalidate',
    );
  }
});

test('a page is answered with 304 to a client that has it', async ({ request }) => {
  const { etag = '' } = (await requestUntilCached(() => request.get('/methodology'))).headers();
  for (let time = 0; time < 3; time += 1) {
    const response = await request.get('/methodology', { headers: { 'if-none-match': etag } });
    expect(response.status()).toBe(304);
    expect(response.headers()['cache-control']).toBe('public, max-age=0, must-revalidate');
  }
});

test('the leaderboard as JSON comes from memory, which counts no request', async ({ request }) => {
  const read = async () => (await request.get('/trust/leaderboard')).headers();
  await expect.poll(async () => (await read())['ratelimit']).toBeUndefined();
});

test('data for the scripts of Next redirects to the page', async ({ request }) => {
  for (const path of ['/endpoint/made-up-abcdefghij', '/docs']) {
    const response = await request.get(`${path}.rsc`, { maxRedirects: 0 });
    expect([response.status(), response.headers()['location']]).toEqual([308, path]);
  }
  const page = await request.get(`${HEALTHY}?_rsc=1rq3k`, { headers: { rsc: '1' }, maxRedirects: 0 });
  expect([page.status(), page.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test('internal routes refuse requests without their token', async ({ request }) => {
  const revalidate = await request.post('/api/internal/revalidate', {
    headers: { authorization: 'Bearer guessed-guessed-guessed' },
    data: { tags: ['leaderboard'] },
  });
  expect(revalidate.status()).toBe(401);
  const inngest = await request.post('/api/inngest?fnId=touchstone-probe&stepId=step', { data: {} });
  expect(inngest.status()).toBe(404);
});

test('the discovery report accounts for every item', () => {
  const file = join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'discovery.json');
  const [report] = JSON.parse(readFileSync(file, 'utf8')) as {
    items: number;
    accepted: number;
    duplicates: number;
    rejected: number;
    rejects: { resource: string; reason: string }[];
  }[];
  expect(report).toBeDefined();
  if (!report) return;
  expect(report.accepted + report.duplicates + report.rejected).toBe(report.items);
  expect(report.rejects.map((reject) => reject.resource).sort()).toEqual([
    '',
    '',
    'game://lobby/7',
    'http://localhost:4021/weather',
  ]);
  for (const { reason } of report.rejects) expect(reason.length).toBeGreaterThan(5);
});
