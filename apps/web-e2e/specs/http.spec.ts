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
