import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createEmbedHandler } from '../../../../supabase/functions/embed/handler.ts';
import { serveLocally } from './serve.ts';

const TOKEN = 'token-of-the-test';

it('stops the work of a request whose connection closed, and not the work of other requests', async () => {
  const started: string[] = [];
  let closed = 0;
  const handle = createEmbedHandler({
    embed: async (text) => {
      started.push(text);
      await sleep(50);
      return [text.length];
    },
    keys: [TOKEN],
  });
  const server = await serveLocally((request) => {
    request.signal.addEventListener('abort', () => (closed += 1));
    return handle(request);
  }, 0);
  const send = (texts: readonly string[], signal?: AbortSignal) =>
    fetch(server.url, {
      method: 'POST',
      headers: { apikey: TOKEN },
      body: JSON.stringify({ texts }),
      ...(signal === undefined ? {} : { signal }),
    });
  const caller = new AbortController();
  const abandoned = send(
    Array.from({ length: 16 }, (_, index) => `abandoned ${index}`),
    caller.signal,
  );
  await vi.waitFor(() => expect(started).toContain('abandoned 1'));
  const other = send(['one', 'two', 'three', 'four']);
  caller.abort();
  await expect(abandoned).rejects.toThrow();
  expect(await (await other).json()).toMatchObject({ vectors: [[3], [3], [5], [4]] });
  await vi.waitFor(() => expect(closed).toBeGreaterThan(0));
  await sleep(150);
  expect(started.filter((text) => text.startsWith('abandoned')).length).toBeLessThan(8);
  await server.close();
});
