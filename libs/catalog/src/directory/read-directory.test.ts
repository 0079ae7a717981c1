import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll, sendJson, serveDirectory, type Directory } from '../testing/directory.ts';

const createItems = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `item ${from + index}`);

interface DirectoryBehavior {
  readonly size: number;
  /** Maximum page size that the test directory allows. */
  readonly maxPageSize?: number;
  /** Returns true for an item that the directory counts in its total, but does not list on any page. */
  readonly isHidden?: (index: number) => boolean;
  readonly total?: unknown;
  readonly reportsLimit?: boolean;
}

/** Serves a directory that rounds each offset down to a multiple of the page size, as real directories do. */
function serveItems({
  size,
  maxPageSize = 1_000,
  isHidden,
  total = size,
  reportsLimit = true,
}: DirectoryBehavior): Promise<Directory> {
  return serveDirectory(({ limit: wanted, offset: given }, response) => {
    const limit = Math.min(wanted, maxPageSize);
    const offset = Math.floor(given / limit) * limit;
    const items = createItems(offset, Math.min(size, offset + limit)).filter(
      (_, index) => isHidden?.(offset + index) !== true,
    );
    sendJson(response, {
      x402Version: 2,
      items,
      pagination: { offset, total, ...(reportsLimit ? { limit } : {}) },
    });
  });
}

describe('a reading', () => {
  it('requests offsets at multiples of the page size, and is complete', async () => {
    await using directory = await serveItems({ size: 2_345 });
    const read = await readAll(`${directory.url}/`);
    expect(read).toMatchObject({
      complete: true,
      reason: null,
      pages: 3,
      items: 2_345,
      total: 2_345,
      pauses: [],
    });
    expect(read.readItems).toEqual(createItems(0, 2_345));
    expect(directory.requests).toEqual(
      [0, 1_000, 2_000].map((offset, index) => ({
        path: '/discovery/resources',
        limit: 1_000,
        offset,
        index,
      })),
    );
  });

  it('continues after a short page', async () => {
    await using directory = await serveItems({
      size: 3_000,
      isHidden: (index) => index >= 900 && index < 1_000,
    });
    const read = await readAll(directory.url);
    expect(read).toMatchObject({ complete: true, pages: 3, items: 2_900 });
  });

  it.each([null, 'many', -1])('ends at an empty page when the total is %j', async (total) => {
    await using directory = await serveItems({ size: 25, total });
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject({
      complete: true,
      pages: 3,
      items: 25,
      total: null,
    });
    expect(directory.requests).toHaveLength(4);
  });

  it('ends at the reported total, also when it is a string', async () => {
    await using directory = await serveItems({ size: 25, total: '25' });
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject({
      complete: true,
      items: 25,
      total: 25,
    });
    expect(directory.requests).toHaveLength(3);
  });

  it('reads every item once for any size of directory and pages', async () => {
    const sizes = fc.record({
      size: fc.integer({ min: 1, max: 120 }),
      largest: fc.integer({ min: 5, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 5, max: 50 }), async ({ size, largest }, pageSize) => {
        await using directory = await serveItems({ size, maxPageSize: largest });
        const read = await readAll(directory.url, { pageSize });
        expect(read).toMatchObject({ complete: true, readItems: createItems(0, size) });
      }),
      { numRuns: 10 },
    );
  });

  it.each([
    ['resources', (items: unknown) => ({ resources: items, partialResults: false })],
    ['an envelope', (items: unknown) => ({ success: true, data: { items } })],
  ])('reads a list in %s', async (_, wrap) => {
    await using directory = await serveDirectory(({ offset }, response) => {
      sendJson(response, wrap(offset === 0 ? createItems(0, 3) : []));
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, readItems: createItems(0, 3) });
  });

  it('reads counts beside the list of items', async () => {
    await using directory = await serveDirectory(({ offset }, response) => {
      sendJson(response, { items: createItems(offset, offset + 5), limit: 5, total: 25 });
    });
    const read = await readAll(directory.url, { pageSize: 10 });
    expect(read).toMatchObject({ complete: true, total: 25, readItems: createItems(0, 25) });
  });

  it('waits for each onPage call', async () => {
    await using directory = await serveItems({ size: 30 });
    const requests: number[] = [];
    const onPage = async (): Promise<void> => {
      await setImmediate();
      requests.push(directory.requests.length);
    };
    await readAll(directory.url, { pageSize: 10, onPage });
    expect(requests).toEqual([1, 2, 3]);
  });

  it('rejects with the error of onPage', async () => {
    await using directory = await serveItems({ size: 30 });
    const full = (): never => {
      throw new Error('the disk is full');
    };
    await expect(readAll(directory.url, { onPage: full })).rejects.toThrow('the disk is full');
  });
});

describe('a full first page whose total is the number of its items', () => {
  const END = ['read to the end', { complete: true, reason: null, items: 20 }] as const;
  const INCOMPLETE = ['not complete', { complete: false, items: 20 }] as const;
  it.each([
    [404, ...END],
    [400, ...END],
    [416, ...END],
    // Items can be missing, so no endpoint may count as delisted.
    [500, ...INCOMPLETE],
    [429, ...INCOMPLETE],
  ])('followed by status %i is %s', async (status, _, expected) => {
    await using directory = await serveDirectory(({ offset }, response) => {
      if (offset > 0) response.writeHead(status).end();
      else sendJson(response, { items: createItems(0, 20), pagination: { limit: 20, total: 20 } });
    });
    expect(await readAll(directory.url)).toMatchObject(expected);
  });

  it('is not followed by a request if fewer items were listed than requested', async () => {
    await using directory = await serveDirectory(({ offset }, response) => {
      if (offset > 0) response.writeHead(500).end();
      else sendJson(response, { items: createItems(0, 3), pagination: { total: 3 } });
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, items: 3 });
    expect(directory.requests).toHaveLength(1);
  });

  it('followed by the same page is read to the end', async () => {
    await using directory = await serveDirectory((_, response) => {
      sendJson(response, { items: createItems(0, 20), pagination: { limit: 20, total: 20 } });
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, reason: null, items: 20 });
  });
});

describe('a misbehaving directory', () => {
  it('that reports the page size 0 is read in pages of the size of its first page', async () => {
    await using directory = await serveDirectory(({ offset }, response) => {
      const items = createItems(offset, Math.min(40, offset + 20));
      sendJson(response, { items, pagination: { limit: 0, total: 40 } });
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, items: 40, pages: 2 });
    expect(directory.requests).toHaveLength(2);
  });

  it.each<[string, DirectoryBehavior, object]>([
    ['reports too few items is read to the end', { size: 35, total: 3 }, { complete: true, items: 35 }],
    [
      'reports far too many items is not complete',
      { size: 35, total: 5_000 },
      { complete: false, reason: 'only 35 of 5000 items were listed', items: 35 },
    ],
    [
      'returns smaller pages without reporting their size is read to the end',
      { size: 35, maxPageSize: 5, reportsLimit: false },
      { complete: true, items: 35, pages: 7 },
    ],
    [
      'reports neither size nor total is read to the end',
      { size: 35, maxPageSize: 5, reportsLimit: false, total: null },
      { complete: true, items: 35, pages: 7 },
    ],
    [
      'reports the items of the page as its total is read to the end',
      { size: 35, total: 10 },
      { complete: true, items: 35, pages: 4 },
    ],
    [
      'lists nothing is not complete',
      { size: 0 },
      { complete: false, reason: 'the directory listed nothing' },
    ],
  ])('that %s', async (_, behavior, expected) => {
    await using directory = await serveItems(behavior);
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject(expected);
  });
});
