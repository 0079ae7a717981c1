import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAll, sendJson, serveDirectory } from '../testing/directory.ts';

const now = Date.UTC(2026, 0, 1);
const page = { items: ['one'], pagination: { total: 1 } };

describe('a failing directory', () => {
  it.each([429, 500, 504])('is retried after %i with growing pauses', async (status) => {
    await using directory = await serveDirectory(({ index }, response) => {
      if (index < 3) response.writeHead(status).end('error');
      else sendJson(response, page);
    });
    expect(await readAll(directory.url)).toMatchObject({
      complete: true,
      readItems: ['one'],
      pauses: [1_000, 2_000, 4_000],
    });
  });

  it('is given up after five requests for one page', async () => {
    await using directory = await serveDirectory((_, response) => void response.writeHead(503).end());
    const read = await readAll(directory.url);
    expect(read).toMatchObject({
      complete: false,
      reason: 'HTTP status 503 at offset 0',
      items: 0,
      total: null,
    });
    expect(read.pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it.each([400, 404, 308])('is not retried after %i', async (status) => {
    await using directory = await serveDirectory((_, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await readAll(directory.url)).toMatchObject({
      complete: false,
      reason: `HTTP status ${status} at offset 0`,
    });
    expect(directory.requests).toHaveLength(1);
  });

  it.each([
    ['7', 7_000],
    [new Date(Date.UTC(2026, 0, 1, 0, 0, 9)).toUTCString(), 9_000],
    ['soon', 1_000],
  ])('is retried after the pause of Retry-After: %s', async (retryAfter, pause) => {
    await using directory = await serveDirectory(({ index }, response) => {
      if (index === 0)
        response.writeHead(429, { 'retry-after': retryAfter, date: new Date(now).toUTCString() }).end();
      else sendJson(response, page);
    });
    const read = await readAll(directory.url, { now: () => now });
    expect(read).toMatchObject({ complete: true, pauses: [pause] });
  });

  it('is retried after a broken response', async () => {
    await using directory = await serveDirectory(({ index }, response) => {
      if (index === 0) response.socket?.destroy();
      else if (index === 1) response.end('{"items":[');
      else sendJson(response, page);
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, pauses: [1_000, 2_000] });
  });

  it('is reported when it cannot be reached', async () => {
    const directory = await serveDirectory(() => undefined);
    await directory[Symbol.asyncDispose]();
    const read = await readAll(directory.url);
    expect(read).toMatchObject({ complete: false, reason: 'unreachable: ECONNREFUSED at offset 0' });
    expect(await readAll('not a URL')).toMatchObject({ complete: false, items: 0 });
  });

  it('has a timeout for a page, including its body', async () => {
    await using directory = await serveDirectory((_, response) => void response.writeHead(200).write('{'));
    const read = await readAll(directory.url, { limits: { pageTimeoutMs: 200, maxAttempts: 2 } });
    expect(read).toMatchObject({ complete: false, reason: 'no response within 200 ms at offset 0' });
    expect(directory.requests).toHaveLength(2);
  });
});

describe('a page', () => {
  it.each(['[]', 'null', '{}', '{"items":{}}', '{"data":[]}'])('is not valid: %s', async (body) => {
    await using directory = await serveDirectory((_, response) => void response.end(body));
    expect(await readAll(directory.url)).toMatchObject({
      complete: false,
      reason: 'a page has no list of items at offset 0',
    });
    expect(directory.requests).toHaveLength(1);
  });

  it('may contain an item that is nested deeper than the stack', async () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    await using directory = await serveDirectory(({ offset }, response) => {
      response.end(`{"items":[${nested},"item ${offset}"],"pagination":{"total":4}}`);
    });
    const read = await readAll(directory.url, { pageSize: 2 });
    expect(read).toMatchObject({ complete: true, reason: null, items: 4 });
    expect(read.readItems.filter((item) => typeof item === 'string')).toEqual(['item 0', 'item 2']);
  });

  it('that repeats an earlier one is found with a deeply nested item, too', async () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    await using directory = await serveDirectory((_, response) => {
      response.end(`{"items":[${nested}]}`);
    });
    const read = await readAll(directory.url, { pageSize: 1 });
    expect(read).toMatchObject({ complete: false, reason: 'the page at offset 1 repeats an earlier one' });
  });

  it('over the size limit is not read further, compressed or not', async () => {
    const large = JSON.stringify({ items: ['x'.repeat(2_000_000)] });
    await using directory = await serveDirectory(({ offset, index }, response) => {
      expect(offset).toBe(0);
      if (index === 0) response.end(large);
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
    });
    for (let index = 0; index < 2; index += 1) {
      expect(await readAll(directory.url, { limits: { maxPageBytes: 100_000 } })).toMatchObject({
        complete: false,
        reason: 'a page is larger than 100000 bytes at offset 0',
        items: 0,
      });
    }
  });
});

describe('a caller that stops', () => {
  it('aborts a request', async () => {
    await using directory = await serveDirectory(() => undefined);
    const read = await readAll(directory.url, { signal: AbortSignal.timeout(50) });
    expect(read).toMatchObject({ complete: false, reason: 'stopped at offset 0', pauses: [] });
  });

  it('aborts a pause', async () => {
    // The four pauses would be longer than the timeout of the test.
    await using directory = await serveDirectory(
      (_, response) => void response.writeHead(503, { 'retry-after': '55' }).end(),
    );
    const read = await readAll(directory.url, { signal: AbortSignal.timeout(100), sleep: undefined });
    expect(read).toMatchObject({ complete: false, reason: 'stopped at offset 0' });
  });
});
