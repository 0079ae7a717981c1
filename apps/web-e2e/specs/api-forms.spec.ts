import { requestUntilCached } from '../support/pages/cached-response.ts';
import { expect, test } from '../support/shared-service.ts';

const toUrl = (path: string): string => `${process.env['TOUCHSTONE_URL'] ?? ''}${path}`;

for (const path of ['/trust/leaderboard', '/trust/stats']) {
  test(`${path} is HTML for browsers and JSON for programs, with Vary: Accept`, async ({ request }) => {
    for (const accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      '*/*',
      'text/html',
      'application/json',
    ]) {
      const response = await request.get(toUrl(path), { headers: { accept } });
      const isPage = accept.startsWith('text/html');
      expect(response.headers()['content-type']).toContain(isPage ? 'text/html' : 'application/json');
      expect(response.headers()['vary']?.split(/, */)).toContain('Accept');
      if (isPage) expect(await response.text()).toContain(`rel="alternate" type="application/json"`);
    }
    // The page from the cache must also have the header `Vary: Accept`. The internal paths must not be public.
    const cached = await requestUntilCached(() =>
      request.get(toUrl(path), { headers: { accept: 'text/html' } }),
    );
    expect(cached.headers()['vary']?.split(/, */)).toContain('Accept');
    for (const format of ['page', 'json']) {
      expect((await request.get(toUrl(`/on-demand/${format}/${path.split('/')[2] ?? ''}`))).status()).toBe(
        404,
      );
    }
  });
}

test('documents respond with 304 to a known ETag', async ({ request }) => {
  for (const path of ['/openapi.json', '/llms.txt', '/.well-known/x402', '/schemas/x402-trust/1.0.0.json']) {
    const first = await request.get(toUrl(path));
    expect([path, first.status()]).toEqual([path, 200]);
    const tag = first.headers()['etag'] ?? '';
    const again = await request.get(toUrl(path), { headers: { 'if-none-match': tag } });
    expect([path, again.status()]).toEqual([path, 304]);
    expect(first.headers()['cache-control']).toMatch(/^public, max-age=\d+$/);
  }
});

test('the front page links to the API documents', async ({ request }) => {
  const html = await (await request.get(toUrl('/'))).text();
  for (const path of ['/docs', '/openapi.json', '/llms.txt', '/trust/stats']) {
    expect(html).toContain(`href="${path}"`);
    expect((await request.get(toUrl(path))).status()).toBe(200);
  }
});
