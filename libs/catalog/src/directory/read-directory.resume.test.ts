import { describe, expect, it } from 'vitest';
import type { DirectoryCursor } from './read-directory.ts';
import { readAll, sendJson, serveDirectory, type Directory } from '../testing/directory.ts';

const createItems = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `item ${from + index}`);

/** Serves a directory of `size` items. A request gets status 503 if `isFailing` returns true for its index. */
function serve(size: number, isFailing: (index: number) => boolean = () => false): Promise<Directory> {
  return serveDirectory(({ limit, offset, index: index }, response) => {
    if (isFailing(index)) response.writeHead(503).end();
    else
      sendJson(response, {
        items: createItems(offset, Math.min(size, offset + limit)),
        pagination: { limit, offset, total: size },
      });
  });
}

const START: DirectoryCursor = { offset: 0, pageSize: null, pages: 0, items: 0, total: null };

describe('an interrupted reading', () => {
  it('resumes at the page where it was interrupted', async () => {
    await using directory = await serve(100, (index) => index >= 6 && index < 11);
    const first = await readAll(directory.url, { pageSize: 10 });
    expect(first).toMatchObject({ complete: false, pages: 6, items: 60, readItems: createItems(0, 60) });
    expect(first.next).toEqual({ offset: 60, pageSize: 10, pages: 6, items: 60, total: 100 });
    const second = await readAll(directory.url, { pageSize: 1_000, resumeFrom: first.next ?? START });
    expect(second).toMatchObject({
      complete: true,
      next: null,
      pages: 10,
      items: 100,
      readItems: createItems(60, 100),
    });
  });

  it('keeps the page size of the directory', async () => {
    await using directory = await serveDirectory(({ limit: wanted, offset }, response) => {
      const limit = Math.min(wanted, 20);
      sendJson(response, {
        items: createItems(offset, Math.min(50, offset + limit)),
        pagination: { limit, total: 50 },
      });
    });
    const first = await readAll(directory.url, { limits: { maxRunPages: 1 } });
    expect(first).toMatchObject({
      complete: false,
      reason: 'paused after 1 pages',
      readItems: createItems(0, 20),
    });
    const second = await readAll(directory.url, { resumeFrom: first.next ?? START });
    expect(second).toMatchObject({ complete: true, readItems: createItems(20, 50) });
    expect(directory.requests.map(({ limit }) => limit)).toEqual([1_000, 20, 20]);
  });

  it('is not complete when the directory is suddenly empty', async () => {
    await using directory = await serveDirectory((_, response) =>
      sendJson(response, { items: [], pagination: { total: 0 } }),
    );
    const from = { offset: 30, pageSize: 10, pages: 3, items: 30, total: 100 };
    expect(await readAll(directory.url, { resumeFrom: from })).toMatchObject({
      complete: false,
      reason: 'only 30 of 100 items were listed',
      next: null,
    });
  });

  it('counts the pages of all runs', async () => {
    await using directory = await serve(1_000);
    const from = { offset: 80, pageSize: 10, pages: 8, items: 80, total: 1_000 };
    expect(await readAll(directory.url, { resumeFrom: from, limits: { maxPages: 9 } })).toMatchObject({
      complete: false,
      reason: 'the directory has more than 9 pages',
      next: null,
    });
  });
});

describe('a run', () => {
  it('ends at its time limit', async () => {
    await using directory = await serve(1_000);
    let time = 0;
    const now = (): number => (time += 400);
    const read = await readAll(directory.url, { pageSize: 10, now, limits: { maxRunMs: 1_000 } });
    expect(read).toMatchObject({ complete: false, next: { offset: 20 }, reason: 'paused after 2 pages' });
  });

  it('ends when Retry-After is over the limit, and reports the pause', async () => {
    await using directory = await serveDirectory((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    expect(await readAll(directory.url)).toMatchObject({
      next: { offset: 0, pageSize: null },
      waitMs: 3_600_000,
      pauses: [],
      reason: 'HTTP status 429 with a Retry-After of 3600000 ms at offset 0',
      unreached: false,
    });
  });

  it('ends when it is stopped, and can be resumed', async () => {
    await using directory = await serve(1_000);
    const stop = new AbortController();
    const read = await readAll(directory.url, {
      pageSize: 10,
      signal: stop.signal,
      onPage: (_, { pages }) => {
        if (pages === 3) stop.abort();
      },
    });
    expect(read).toMatchObject({ complete: false, next: { offset: 30 }, unreached: false });
  });

  it('ends the reading when all pages together are too large', async () => {
    await using directory = await serve(1_000);
    expect(await readAll(directory.url, { pageSize: 100, limits: { maxTotalBytes: 3_000 } })).toMatchObject({
      complete: false,
      next: null,
      reason: 'all pages together are larger than 3000 bytes',
    });
  });
});

it('sends the User-Agent header', async () => {
  const agents: unknown[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    agents.push(new Headers(init?.headers).get('user-agent'));
    return globalThis.fetch(input, init);
  };
  await using directory = await serve(1);
  await readAll(directory.url, { fetch, userAgent: 'Touchstone/0.1 (+https://touchstone.example/)' });
  expect(agents).toEqual(['Touchstone/0.1 (+https://touchstone.example/)']);
});
