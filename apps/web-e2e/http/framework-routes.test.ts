import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { formatRequest, sendRaw, type RawResponse } from '../support/raw-request.ts';

const BUILD_ID = readFileSync(fileURLToPath(new URL('../../web/.next/BUILD_ID', import.meta.url)), 'utf8');
/** Form in which a browser without JavaScript calls a server action of Next. */
const ACTION_FORM = [
  '--a',
  `Content-Disposition: form-data; name="$ACTION_ID_${'4'.repeat(42)}"`,
  '',
  'x',
  '--a--',
  '',
].join('\r\n');
const ACTION_HEADERS = [
  'Content-Type: multipart/form-data; boundary=a',
  `Content-Length: ${String(ACTION_FORM.length)}`,
];

const get = (target: string, headers: readonly string[] = []): Promise<RawResponse> =>
  sendRaw(formatRequest('GET', target, headers));

it.each([
  '/_next/image?url=%2Ficon.svg&w=640&q=75',
  '/_next/image?url=http%3A%2F%2F127.0.0.1%2Fa.png&w=640&q=75',
  `/_next/data/${BUILD_ID}/watch.json`,
  `/_next/data/${BUILD_ID}/index.json`,
  `/_next/%64ata/${BUILD_ID}/watch.json`,
  ...['/_next/webpack-hmr', '/_next/mcp', '/_next/postponed/resume/watch', '/_next', '/_next/static'],
  ...[
    '/_next/static/../BUILD_ID',
    '/_next/static/..%2fBUILD_ID',
    '/_next/static/none.js',
    '/_next/static/%ff',
  ],
  ...['/__nextjs_original-stack-frames', '/__nextjs_source-map?filename=a', '/__nextjs_font/a.woff2'],
  ...['/_error', '/_document', '/_app', '/_not-found', '/_global-error', '/404', '/500', '/index'],
  ...['/index.txt', '/watch.txt', '/watch.json', '/_rsc', '/middleware', '/_middleware', '/trust/home'],
  ...['/nowhere', '/mcp/more', '/openapi.json/more', '/docs/more', '/badge/a/b', '/api/more', '/schemas/a/b'],
])('the route %s of Next is closed, also to forms of server actions', async (target) => {
  const page = await get(target);
  expect(page.status).toBe(404);
  const posted = await sendRaw(formatRequest('POST', target, ACTION_HEADERS) + ACTION_FORM);
  expect([404, 405]).toContain(posted.status);
  for (const { headers, body } of [page, posted]) {
    expect(headers.has('x-nextjs-action-not-found')).toBe(false);
    expect(body).not.toMatch(/Invariant|node_modules|"url" parameter/);
  }
});

it.each([
  ['/.rsc', '/'],
  ['/index.rsc', '/index'],
  ['/watch.rsc', '/watch'],
  ['/watch.segments/_tree.segment.rsc', '/watch.segments/_tree.segment'],
])('%s, data for the scripts of Next, redirects to %s', async (target, path) => {
  const { status, headers } = await get(target);
  expect([status, headers.get('location')]).toEqual([308, path]);
});

// create-listener.normalize-request.test.ts tests that the server removes the other headers.
it.each(['X-Invoke-Path: /api/metrics', 'Cookie: __prerender_bypass=a'])(
  'the header %s of Next changes no response',
  async (header) => {
    const [expected, received] = [await get('/watch'), await get('/watch', [header])];
    expect([received.status, received.body]).toEqual([200, expected.body]);
    // The proxy still hides an internal route.
    expect((await get('/on-demand/page/home', [header])).status).toBe(404);
  },
);
