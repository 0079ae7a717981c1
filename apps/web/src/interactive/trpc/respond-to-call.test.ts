import { afterEach, describe, expect, it, vi } from 'vitest';
import { runSearch } from '../../operations/search-queue.ts';
import { openQueuedStore } from './queued-store.ts';
import { createTestStore } from './testing/test-store.ts';
import { respondToCall } from './respond-to-call.ts';
import type { TrpcContext } from './trpc.ts';

const NO_SUGGESTIONS = { endpoints: [], hosts: [], tags: [] };

const toSuggestPath = (input: unknown) =>
  `explore.suggest?input=${encodeURIComponent(JSON.stringify(input))}`;

const openWatches = () => {
  throw new Error('a suggestion opens no watch');
};

/** Sends a request to the procedures. The test store suggests nothing and records the requested texts. */
async function send(path: string, method = 'GET', methods: Partial<TrpcContext['store']> = {}) {
  const texts: string[] = [];
  const suggest = (text: string) => {
    texts.push(text);
    return Promise.resolve(NO_SUGGESTIONS);
  };
  const request = new Request(`http://localhost/api/trpc/${path}`, { method });
  const store = createTestStore({ suggest, ...methods });
  return { response: await respondToCall(request, { store, openWatches }), texts };
}

afterEach(() => void vi.restoreAllMocks());

describe('respondToCall', () => {
  it('returns the result of a procedure, which caches may store', async () => {
    const { response, texts } = await send(toSuggestPath({ text: 'x' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ result: { data: NO_SUGGESTIONS } });
    expect(texts).toEqual(['x']);
  });

  it('refuses an invalid input without a call of the store', async () => {
    const { response, texts } = await send(toSuggestPath({}));
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    const message = 'text must be a text of 1 to 500 characters.';
    expect(await response.json()).toMatchObject({ error: { message, data: { code: 'BAD_REQUEST' } } });
    expect(texts).toEqual([]);
  });

  it('responds with 429 while too many searches wait', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const searches = Array.from({ length: 22 }, (_, index) =>
      runSearch({ client: `client ${index}` }, () => released),
    );
    const store = openQueuedStore({ client: '192.0.2.1' });
    const { response } = await send(toSuggestPath({ text: 'x' }), 'GET', store);
    release();
    await Promise.all(searches);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await response.json()).toMatchObject({ error: { data: { problem: { code: 'rate-limited' } } } });
  });

  it('refuses batches', async () => {
    const { response, texts } = await send(
      'explore.suggest,explore.suggest?batch=1&input=%7B%220%22%3A%7B%22text%22%3A%22x%22%7D%7D',
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(texts).toEqual([]);
  });

  it('responds to HEAD like to GET', async () => {
    const { response } = await send(toSuggestPath({ text: 'x' }), 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it.each(['unknown', '__proto__', 'explore', 'explore.suggest.call'])(
    'responds with 404 to the unknown procedure %s',
    async (name) => {
      const { response } = await send(name);
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('logs the cause of an internal error and does not send it', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const suggest = () => Promise.reject(new Error('secret host is down'));
    const { response } = await send(toSuggestPath({ text: 'x' }), 'GET', { suggest });
    expect(response.status).toBe(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body: unknown = await response.json();
    expect(body).toMatchObject({
      error: { message: 'The service failed to process this request. Send it again in a minute.' },
    });
    expect(JSON.stringify(body)).not.toMatch(/secret|stack|\.ts/);
    expect(log.mock.calls).toEqual([
      ['{"failed":"/api/trpc/explore.suggest","cause":"secret host is down"}\n'],
    ]);
  });
});
