import { describe, expect, it } from 'vitest';
import type { DirectoryPlace } from './read-directory.ts';
import { readAll, sendJson, serveDirectory } from './testing/directory.ts';
import type { Directory } from './testing/directory.ts';

const items = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `item ${from + index}`);

/** A directory of `size` items that is in trouble at the given turns. */
function serve(size: number, trouble: (turn: number) => boolean = () => false): Promise<Directory> {
  return serveDirectory(({ limit, offset, turn }, response) => {
    if (trouble(turn)) response.writeHead(503).end();
    else
      sendJson(response, {
        items: items(offset, Math.min(size, offset + limit)),
        pagination: { limit, offset, total: size },
      });
  });
}

const begin: DirectoryPlace = { offset: 0, pageSize: null, pages: 0, items: 0, total: null };

describe('an interrupted reading', () => {
  it('goes on at the page where it was interrupted', async () => {
    await using directory = await serve(100, (turn) => turn >= 6 && turn < 11);
    const first = await readAll(directory.url, { pageSize: 10 });
    expect(first).toMatchObject({ complete: false, pages: 6, items: 60, seen: items(0, 60) });
    expect(first.next).toEqual({ offset: 60, pageSize: 10, pages: 6, items: 60, total: 100 });
    const second = await readAll(directory.url, { pageSize: 1_000, from: first.next ?? begin });
    expect(second).toMatchObject({ complete: true, next: null, pages: 10, items: 100, seen: items(60, 100) });
  });

  it('keeps the page size that the directory gave', async () => {
    await using directory = await serveDirectory(({ limit: wanted, offset }, response) => {
      const limit = Math.min(wanted, 20);
      sendJson(response, {
        items: items(offset, Math.min(50, offset + limit)),
        pagination: { limit, total: 50 },
      });
    });
    const first = await readAll(directory.url, { limits: { sittingPages: 1 } });
    expect(first).toMatchObject({ complete: false, reason: 'paused after 1 pages', seen: items(0, 20) });
    const second = await readAll(directory.url, { from: first.next ?? begin });
    expect(second).toMatchObject({ complete: true, seen: items(20, 50) });
    expect(directory.asked.map(({ limit }) => limit)).toEqual([1_000, 20, 20]);
  });

  it('tells its place with each page, for whoever keeps it', async () => {
    await using directory = await serve(25);
    const places: DirectoryPlace[] = [];
    await readAll(directory.url, { pageSize: 10, onPage: (_, next) => void places.push(next) });
    expect(places.map(({ offset, pages, items: read }) => [offset, pages, read])).toEqual([
      [10, 1, 10],
      [20, 2, 20],
      [30, 3, 25],
    ]);
  });

  it('is complete when nothing was left to read', async () => {
    await using directory = await serve(30);
    const from = { offset: 30, pageSize: 10, pages: 3, items: 30, total: 30 };
    expect(await readAll(directory.url, { from })).toMatchObject({ complete: true, items: 30, seen: [] });
  });

  it('is not complete because the directory is suddenly empty', async () => {
    await using directory = await serveDirectory((_, response) =>
      sendJson(response, { items: [], pagination: { total: 0 } }),
    );
    const from = { offset: 30, pageSize: 10, pages: 3, items: 30, total: 100 };
    expect(await readAll(directory.url, { from })).toMatchObject({
      complete: false,
      reason: 'only 30 of 100 items were listed',
      next: null,
    });
  });

  it('counts its pages from the first one on', async () => {
    await using directory = await serve(1_000);
    const from = { offset: 80, pageSize: 10, pages: 8, items: 80, total: 1_000 };
    expect(await readAll(directory.url, { from, limits: { pages: 9 } })).toMatchObject({
      complete: false,
      reason: 'there is no end after 9 pages',
      next: null,
    });
  });
});

describe('a sitting', () => {
  it('ends when its time is over', async () => {
    await using directory = await serve(1_000);
    let time = 0;
    const now = (): number => (time += 400);
    const read = await readAll(directory.url, { pageSize: 10, now, limits: { sittingMs: 1_000 } });
    expect(read).toMatchObject({ complete: false, next: { offset: 20 }, reason: 'paused after 2 pages' });
  });

  it('ends when it has been asked for too much patience, and says how much', async () => {
    await using directory = await serveDirectory((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    expect(await readAll(directory.url)).toMatchObject({
      next: { offset: 0, pageSize: null },
      waitMs: 3_600_000,
      unreached: false,
    });
  });

  it('ends when it is stopped, to go on another time', async () => {
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

  it.each([403, 404])('is the last one when the directory answers %i', async (status) => {
    await using directory = await serveDirectory((_, response) => void response.writeHead(status).end());
    expect(await readAll(directory.url)).toMatchObject({ complete: false, next: null });
  });

  it('is over when all pages together are too large', async () => {
    await using directory = await serve(1_000);
    expect(await readAll(directory.url, { pageSize: 100, limits: { totalBytes: 3_000 } })).toMatchObject({
      complete: false,
      next: null,
      reason: 'its pages are larger than 3000 bytes',
    });
  });
});

it('says who is asking', async () => {
  const agents: unknown[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    agents.push(new Headers(init?.headers).get('user-agent'));
    return globalThis.fetch(input, init);
  };
  await using directory = await serve(1);
  await readAll(directory.url, { fetch, userAgent: 'Touchstone/0.1 (+https://touchstone.example/)' });
  expect(agents).toEqual(['Touchstone/0.1 (+https://touchstone.example/)']);
});

it('tells a directory that cannot be reached from one that answers badly', async () => {
  const gone = await serve(1);
  await gone[Symbol.asyncDispose]();
  expect(await readAll(gone.url)).toMatchObject({ unreached: true, next: { offset: 0 } });
});
