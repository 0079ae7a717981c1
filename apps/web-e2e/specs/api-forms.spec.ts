import { expect, test } from '../support/shared-service.ts';

const url = (path: string): string => `${process.env['TOUCHSTONE_URL'] ?? ''}${path}`;

for (const path of ['/trust/leaderboard', '/trust/stats']) {
  test(`${path} is a page for browsers and data for programs, and tells caches so`, async ({ request }) => {
    for (const accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      '*/*',
      'text/html',
      'application/json',
    ]) {
      const answer = await request.get(url(path), { headers: { accept } });
      const isPage = accept.startsWith('text/html');
      expect(answer.headers()['content-type']).toContain(isPage ? 'text/html' : 'application/json');
      expect(answer.headers()['vary']?.split(/, */)).toContain('Accept');
      if (isPage) expect(await answer.text()).toContain(`rel="alternate" type="application/json"`);
    }
    // What is kept tells the same, and is kept under its own address alone.
    const again = await request.get(url(path), { headers: { accept: 'text/html' } });
    expect(again.headers()['x-nextjs-cache']).toBe('HIT');
    expect(again.headers()['vary']?.split(/, */)).toContain('Accept');
    for (const form of ['page', 'json']) {
      expect((await request.get(url(`/on-demand/${form}/${path.split('/')[2] ?? ''}`))).status()).toBe(404);
    }
  });
}

test('documents are given once to who keeps them', async ({ request }) => {
  for (const path of ['/openapi.json', '/llms.txt', '/.well-known/x402', '/schemas/x402-trust/1.0.0.json']) {
    const first = await request.get(url(path));
    expect([path, first.status()]).toEqual([path, 200]);
    const tag = first.headers()['etag'] ?? '';
    const again = await request.get(url(path), { headers: { 'if-none-match': tag } });
    expect([path, again.status()]).toEqual([path, 304]);
    expect(first.headers()['cache-control']).toMatch(/^public, max-age=\d+$/);
  }
});

test('every page leads to the API, for people and for programs', async ({ request }) => {
  const html = await (await request.get(url('/'))).text();
  for (const path of ['/docs', '/openapi.json', '/llms.txt', '/trust/stats']) {
    expect(html).toContain(`href="${path}"`);
    expect((await request.get(url(path))).status()).toBe(200);
  }
});
