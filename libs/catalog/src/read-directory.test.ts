import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll, sendJson, serveDirectory } from './testing/directory.ts';
import type { Directory } from './testing/directory.ts';

const names = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `item ${from + index}`);

interface Behaviour {
  readonly size: number;
  /** The largest page it gives. */
  readonly largest?: number;
  /** Items it leaves out of pages though it counts them. */
  readonly hides?: (index: number) => boolean;
  readonly total?: unknown;
  readonly tellsLimit?: boolean;
}

/** As the directories in use do it: offsets are rounded down to a page of the size that is asked for. */
function serveItems({
  size,
  largest = 1_000,
  hides,
  total = size,
  tellsLimit = true,
}: Behaviour): Promise<Directory> {
  return serveDirectory(({ limit: wanted, offset: given }, response) => {
    const limit = Math.min(wanted, largest);
    const offset = Math.floor(given / limit) * limit;
    const items = names(offset, Math.min(size, offset + limit)).filter(
      (_, index) => hides?.(offset + index) !== true,
    );
    sendJson(response, {
      x402Version: 2,
      items,
      pagination: { offset, total, ...(tellsLimit ? { limit } : {}) },
    });
  });
}

describe('a walk', () => {
  it('is aligned and complete', async () => {
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
    expect(read.seen).toEqual(names(0, 2_345));
    expect(directory.asked).toEqual(
      [0, 1_000, 2_000].map((offset, turn) => ({ path: '/discovery/resources', limit: 1_000, offset, turn })),
    );
  });

  it('keeps the path of its directory', async () => {
    await using directory = await serveItems({ size: 1 });
    await readAll(`${directory.url}/platform/v2/x402//`);
    expect(directory.asked).toMatchObject([{ path: '/platform/v2/x402/discovery/resources' }]);
  });

  it('goes on after a short page', async () => {
    await using directory = await serveItems({
      size: 3_000,
      hides: (index) => index >= 900 && index < 1_000,
    });
    const read = await readAll(directory.url);
    expect(read).toMatchObject({ complete: true, pages: 3, items: 2_900 });
  });

  it.each([null, 'many', -1, 0.5, {}])('ends at an empty page when the total is %j', async (total) => {
    await using directory = await serveItems({ size: 25, total });
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject({
      complete: true,
      pages: 3,
      items: 25,
      total: null,
    });
    expect(directory.asked).toHaveLength(4);
  });

  it('ends where the total says, also when that is a string', async () => {
    await using directory = await serveItems({ size: 25, total: '25' });
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject({
      complete: true,
      items: 25,
      total: 25,
    });
    expect(directory.asked).toHaveLength(3);
  });

  it('takes the smaller page size of a directory over', async () => {
    await using directory = await serveItems({ size: 250, largest: 100 });
    const read = await readAll(directory.url);
    expect(read).toMatchObject({ complete: true, items: 250 });
    expect(read.seen).toEqual(names(0, 250));
    expect(directory.asked.map(({ limit, offset }) => [limit, offset])).toEqual([
      [1_000, 0],
      [100, 100],
      [100, 200],
    ]);
  });

  it('sees every item once, whatever the sizes', async () => {
    const sizes = fc.record({
      size: fc.integer({ min: 1, max: 120 }),
      largest: fc.integer({ min: 5, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 5, max: 50 }), async ({ size, largest }, pageSize) => {
        await using directory = await serveItems({ size, largest });
        const read = await readAll(directory.url, { pageSize });
        expect(read).toMatchObject({ complete: true, seen: names(0, size) });
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['resources', (items: unknown) => ({ resources: items, partialResults: false })],
    ['an envelope', (items: unknown) => ({ success: true, data: { items } })],
  ])('reads a list in %s', async (_, wrap) => {
    await using directory = await serveDirectory(({ offset }, response) => {
      sendJson(response, wrap(offset === 0 ? names(0, 3) : []));
    });
    expect(await readAll(directory.url)).toMatchObject({ complete: true, seen: names(0, 3) });
  });

  it('waits for each page to be taken', async () => {
    await using directory = await serveItems({ size: 30 });
    const events: string[] = [];
    await readAll(directory.url, {
      pageSize: 10,
      onPage: async () => {
        events.push(`taking ${directory.asked.length}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        events.push(`taken ${directory.asked.length}`);
      },
    });
    expect(events).toEqual(['taking 1', 'taken 1', 'taking 2', 'taken 2', 'taking 3', 'taken 3']);
  });

  it('passes on what its taker throws', async () => {
    await using directory = await serveItems({ size: 30 });
    const full = (): never => {
      throw new Error('the disk is full');
    };
    await expect(readAll(directory.url, { onPage: full })).rejects.toThrow('the disk is full');
  });
});

describe('a directory that lies', () => {
  it('and repeats a page forever is left', async () => {
    await using directory = await serveDirectory((_, response) =>
      sendJson(response, { items: names(0, 10), pagination: { total: 1_000_000 } }),
    );
    const read = await readAll(directory.url, { pageSize: 10 });
    expect(read).toMatchObject({
      complete: false,
      reason: 'the page at offset 10 repeats an earlier one',
      items: 10,
    });
    expect(directory.asked).toHaveLength(2);
  });

  it('and repeats a page under the offset that was asked for is left', async () => {
    await using directory = await serveDirectory(({ offset }, response) =>
      sendJson(response, { items: names(0, 10), pagination: { offset, total: 1_000_000 } }),
    );
    const read = await readAll(directory.url, { pageSize: 10 });
    expect(read).toMatchObject({ complete: false, reason: 'the page at offset 10 repeats an earlier one' });
  });

  it('and never ends is left after so many pages', async () => {
    await using directory = await serveDirectory(({ turn }, response) =>
      sendJson(response, { items: [`item ${turn}`], pagination: { total: Number.MAX_SAFE_INTEGER } }),
    );
    const read = await readAll(directory.url, { limits: { pages: 20 } });
    expect(read).toMatchObject({ complete: false, reason: 'there is no end after 20 pages', pages: 20 });
  });

  it('and claims fewer items than it gives is read to the end', async () => {
    await using directory = await serveItems({ size: 35, total: 3 });
    expect(await readAll(directory.url, { pageSize: 10 })).toMatchObject({ complete: true, items: 35 });
  });

  it('and claims far more items than it gives is not complete', async () => {
    await using directory = await serveItems({ size: 35, total: 5_000 });
    const read = await readAll(directory.url, { pageSize: 10 });
    expect(read).toMatchObject({ complete: false, reason: 'only 35 of 5000 items were listed', items: 35 });
  });

  it('and gives smaller pages than it says is not complete', async () => {
    await using directory = await serveItems({ size: 500, largest: 100, tellsLimit: false });
    expect(await readAll(directory.url)).toMatchObject({
      complete: false,
      reason: 'only 100 of 500 items were listed',
    });
  });

  it('and lists nothing is not complete', async () => {
    await using directory = await serveItems({ size: 0 });
    expect(await readAll(directory.url)).toMatchObject({
      complete: false,
      reason: 'the directory listed nothing',
    });
  });
});
