import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { keepDocumentText } from '../../api/document-texts.ts';
import type PageCacheClass from '../page-cache/page-cache.ts';

// The modules are loaded again, because other tests of the same process also use the entries of the page cache.
vi.resetModules();
const { default: PageCache, isCurrentEntry } = await import('../page-cache/page-cache.ts');
const { createListener } = await import('./create-listener.ts');
const { createResponseMemory } = await import('./response-memory.ts');
afterAll(() => {
  vi.resetModules();
});

type Page = Extract<Parameters<PageCacheClass['set']>[1], { segmentData: unknown }>;
/** Kind of a page in the page cache. Next declares the kinds as a const enum without values at run time. */
const pageKind = z.custom<Page['kind']>((kind) => kind === 'APP_PAGE').parse('APP_PAGE');

const cache = new PageCache({});
const lifetime = { cacheControl: { revalidate: 3600, expire: 3600 } };
const TAG = 'endpoint:one';
const ETAG = '"etag"';

/** HTML of the pages that `respondWithPage` stores in the page cache. This function replaces Next in these tests. */
let html: string;
/** Paths of the requests that reached Next. */
let handled: string[];
let change: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

async function respondWithPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const key = `/page${request.url ?? ''}`;
  const found = await cache.get(key);
  const value: Page = {
    ...{ kind: pageKind, html, rscData: undefined, postponed: undefined, status: 200 },
    segmentData: undefined,
    headers: { 'x-next-cache-tags': TAG },
  };
  if (found === null) await cache.set(key, value, lifetime);
  const body = found?.value && 'html' in found.value ? found.value.html : html;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Vary', ['rsc', 'Accept-Encoding']);
  response.setHeader('Cache-Control', 'public, max-age=0, must-revalidate');
  response.setHeader('x-nextjs-cache', found === null ? 'MISS' : 'HIT');
  response.setHeader('ETag', ETAG);
  await change(request, response);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(request.method === 'HEAD' ? undefined : body);
}

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  handled.push(`${request.method} ${request.url}`);
  await respondWithPage(request, response);
};

let listener: RequestListener;
const server = createServer((request, response) => listener(request, response));
let origin: string;

beforeEach(async () => {
  html = `<p>${'text '.repeat(1000)}é</p>`;
  handled = [];
  change = () => undefined;
  const memory = createResponseMemory({ isCurrent: isCurrentEntry });
  const respond = createListener({ handle, memory, receiveExpirations: () => Promise.resolve() });
  listener = (request, response) => void respond(request, response);
  await cache.revalidateTag(TAG);
  if (server.listening) return;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe, because the address of a TCP server is an object with a port.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => server.close();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Sent {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, string>;
}

async function send(
  path: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Sent> {
  const response = await fetch(origin + path, {
    ...init,
    headers: { 'accept-encoding': 'identity', ...init.headers },
  });
  const { status, headers } = response;
  return { status, body: await response.text(), headers: Object.fromEntries(headers) };
}

/** Sends two requests for a page, so that its response is in memory. Returns the second response. */
async function sendTwice(path: string, headers: Record<string, string> = {}): Promise<Sent> {
  await send(path, { headers });
  const second = await send(path, { headers });
  handled = [];
  return second;
}

describe('pages', () => {
  it('come from memory from the third request on, with the same status, headers and body', async () => {
    const first = await send('/endpoint/a');
    const second = await send('/endpoint/a');
    const third = await send('/endpoint/a');
    expect(handled).toEqual(['GET /endpoint/a', 'GET /endpoint/a']);
    const date: unknown = expect.any(String);
    expect(third).toEqual({ ...second, headers: { ...second.headers, date } });
    expect(third).toEqual({ ...first, headers: { ...first.headers, date, 'x-nextjs-cache': 'HIT' } });
  });

  it.each(['gzip', 'br'])('are encoded as %s, with a weak entity tag', async (encoding) => {
    await sendTwice('/endpoint/a');
    const response = await fetch(`${origin}/endpoint/a`, { headers: { 'accept-encoding': encoding } });
    expect(await response.text()).toBe(html);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(Number(response.headers.get('content-length'))).toBeLessThan(html.length / 2);
    expect(response.headers.get('etag')).toBe(`W/${ETAG}`);
    expect(handled).toEqual([]);
  });

  it('are answered with 304 if the client has them', async () => {
    const { headers } = await sendTwice('/endpoint/a');
    for (const known of [ETAG, `W/${ETAG}`, `"other", W/${ETAG}`, '*']) {
      const response = await send('/endpoint/a', { headers: { 'if-none-match': known } });
      expect([response.status, response.body]).toEqual([304, '']);
      expect(response.headers).toMatchObject({ etag: ETAG, vary: headers['vary'] });
      expect(response.headers['cache-control']).toBe(headers['cache-control']);
    }
    expect((await send('/endpoint/a', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect(handled).toEqual([]);
  });

  it('are answered to HEAD without a body, and to Range with all of it', async () => {
    const { headers } = await sendTwice('/endpoint/a');
    const head = await send('/endpoint/a', { method: 'HEAD' });
    expect([head.body, head.headers['content-length']]).toEqual(['', headers['content-length']]);
    const range = await send('/endpoint/a', { headers: { range: 'bytes=0-9' } });
    expect([range.status, range.body]).toEqual([200, html]);
    expect(handled).toEqual([]);
  });

  it('come from memory for requests with headers or the query of the Next router', async () => {
    await sendTwice('/endpoint/a');
    expect((await send('/endpoint/a?_rsc=1rq3k', { headers: { rsc: '1', 'next-url': '/' } })).body).toBe(
      html,
    );
    expect(handled).toEqual([]);
  });

  it('are rendered again after their tag expired', async () => {
    await sendTwice('/endpoint/a');
    html = '<p>avoid</p>';
    await cache.revalidateTag(TAG);
    expect((await send('/endpoint/a')).body).toBe(html);
    expect((await sendTwice('/endpoint/a')).body).toBe(html);
  });

  it('are not stored if their tag expires while they are sent', async () => {
    await send('/endpoint/a');
    change = () => cache.revalidateTag(TAG);
    await send('/endpoint/a');
    change = () => undefined;
    html = '<p>avoid</p>';
    expect((await send('/endpoint/a')).body).toBe(html);
  });

  it('are checked by Next after ten minutes', async () => {
    await sendTwice('/endpoint/a');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 599_000);
    await send('/endpoint/a');
    expect(handled).toEqual([]);
    vi.setSystemTime(Date.now() + 1_000);
    await send('/endpoint/a');
    expect(handled).toEqual(['GET /endpoint/a']);
  });

  it.each<[string, (response: ServerResponse) => void, string?]>([
    ['with status 404', (response) => (response.statusCode = 404)],
    ['with status 410', (response) => (response.statusCode = 410)],
    ['with a cookie', (response) => response.setHeader('set-cookie', 'a=b')],
    ['that are stale', (response) => response.setHeader('x-nextjs-cache', 'STALE')],
    ['with another type', (response) => response.setHeader('content-type', 'text/x-component')],
    ['with a query', () => undefined, '/endpoint/a?b=1'],
    ['of a search', () => undefined, '/explore?q=a'],
  ])('%s are not stored', async (_, changeResponse, path = '/endpoint/a') => {
    change = (__, response) => changeResponse(response);
    await sendTwice(path);
    await send(path);
    expect(handled).toHaveLength(1);
  });

  it.each(['/trust/leaderboard', '/trust/stats', '/mcp'])('of %s are not sent to programs', async (path) => {
    await sendTwice(path, { accept: 'text/html' });
    await send(path, { headers: { accept: 'text/html' } });
    expect(handled).toEqual([]);
    await send(path, { headers: { accept: 'application/json' } });
    expect(handled).toEqual([`GET ${path}`]);
  });

  it('are stored separately for HTTPS, whose responses have other headers', async () => {
    change = (request, response) => {
      if (request.headers['x-forwarded-proto'] === 'https')
        response.setHeader('strict-transport-security', 'x');
    };
    await sendTwice('/endpoint/a', { 'x-forwarded-proto': 'https' });
    expect((await sendTwice('/endpoint/a')).headers).not.toHaveProperty('strict-transport-security');
    const https = await send('/endpoint/a', { headers: { 'x-forwarded-proto': 'https' } });
    expect(https.headers['strict-transport-security']).toBe('x');
    expect(handled).toEqual([]);
  });

  it('are evicted beyond the maximum size', async () => {
    // gzip compresses this text to 5,000 bytes, and twice this size is counted for a response.
    html = randomBytes(5_000).toString('base64');
    const memory = createResponseMemory({ isCurrent: isCurrentEntry, maxBytes: 15_000 });
    const respond = createListener({ handle, memory, receiveExpirations: () => Promise.resolve() });
    listener = (request, response) => void respond(request, response);
    await sendTwice('/endpoint/a');
    await sendTwice('/endpoint/b');
    await send('/endpoint/b');
    expect(handled).toEqual([]);
    await send('/endpoint/a');
    expect(handled).toEqual(['GET /endpoint/a']);
  });

  it('expired by another instance are rendered again', async () => {
    let expired: readonly string[] = [];
    const respond = createListener({
      handle,
      memory: createResponseMemory({ isCurrent: isCurrentEntry }),
      receiveExpirations: () => cache.revalidateTag(expired),
    });
    listener = (request, response) => void respond(request, response);
    await sendTwice('/endpoint/a');
    await send('/endpoint/a');
    expect(handled).toEqual([]);
    html = '<p>avoid</p>';
    expired = [TAG];
    expect((await send('/endpoint/a')).body).toBe(html);
  });
});

it('sends no headers of the proxy of Next, which contain client addresses', async () => {
  change = (_, response) => {
    response.setHeader('x-middleware-rewrite', '/on-demand/page/explore/MjAzLjAuMTEzLjc3');
  };
  expect((await send('/explore?q=a')).headers).not.toHaveProperty('x-middleware-rewrite');
});

describe('documents', () => {
  it('come from memory after the first request, until the data that they are made from expires', async () => {
    await send('/leaderboard');
    const respond = createListener({
      handle: async (request, response) => {
        handled.push(`${request.method} ${request.url}`);
        await cache.get('/page/leaderboard');
        keepDocumentText(`"${html.length}"`, html);
        response.setHeader('ETag', `"${html.length}"`);
        response.setHeader('RateLimit', '"free";r=299;t=60');
        response.end(html);
      },
      memory: createResponseMemory({ isCurrent: isCurrentEntry }),
      receiveExpirations: () => Promise.resolve(),
    });
    listener = (request, response) => void respond(request, response);
    const { headers } = await send('/openapi.json');
    handled = [];
    const stored = await fetch(`${origin}/openapi.json?a=b`, { headers: { 'accept-encoding': 'br' } });
    expect([await stored.text(), stored.headers.get('content-encoding')]).toEqual([html, 'br']);
    expect(stored.headers.get('ratelimit')).toBeNull();
    const known = { 'if-none-match': headers['etag'] ?? '' };
    expect((await send('/openapi.json', { headers: known })).status).toBe(304);
    expect(handled).toEqual([]);
    html = 'changed';
    await cache.revalidateTag(TAG);
    expect((await send('/openapi.json')).body).toBe('changed');
  });
});
