import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type PageCache from './page-cache.ts';

const bodySchema = z.object({
  p_tags: z.array(z.string()).default([]),
  p_after: z.number().nullable().default(null),
  p_limit: z.number().default(0),
});

/** Tags in the test database. The position of a tag is its index plus one. */
let recorded: string[];
const database = vi.fn<typeof fetch>();

/** Responds like the functions of the database. The package `store` tests the real functions. */
const respond: typeof fetch = (input, init) => {
  const {
    p_tags: tags,
    p_after: after,
    p_limit: limit,
  } = bodySchema.parse(JSON.parse(z.string().parse(init?.body)));
  if (z.string().parse(input).endsWith('/rpc/record_page_expirations')) {
    recorded.push(...tags);
    return Promise.resolve(Response.json(tags.length));
  }
  const latest = recorded.length;
  const isKnown = after !== null && latest - after <= limit;
  return Promise.resolve(Response.json({ latest, tags: isKnown ? recorded.slice(after) : null }));
};

beforeEach(() => {
  recorded = [];
  database.mockReset().mockImplementation(respond);
  vi.stubGlobal('fetch', database);
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('SUPABASE_URL', 'https://database.example.com');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  // Later test files in this process must not get the page cache of an instance.
  vi.resetModules();
});

/**
 * Loads the page cache again, as another process does, and stores the entries `one` and `two`. Next reads each entry
 * before it renders the entry.
 */
async function startInstance(): Promise<PageCache> {
  vi.resetModules();
  const { default: Cache } = await import('./page-cache.ts');
  const cache = new Cache({});
  await Promise.all([cache.get('one'), cache.get('two')]);
  await cache.set('one', null, { fetchCache: true, tags: ['endpoint:one', 'leaderboard'] });
  await cache.set('two', null, { fetchCache: true, tags: ['endpoint:two'] });
  return cache;
}

const listKept = async (cache: PageCache): Promise<readonly string[]> => {
  const found = await Promise.all(['one', 'two'].map((key) => cache.get(key)));
  return ['one', 'two'].filter((_, index) => found[index] !== null);
};
const waitSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

describe('instances of one site', () => {
  beforeEach(() => {
    vi.stubEnv('SITE_INSTANCES', '2');
  });

  it('delete the pages that another instance has expired, one second later', async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    await first.revalidateTag(['endpoint:one']);
    expect(await listKept(first)).toEqual(['two']);
    expect(await listKept(second)).toEqual(['one', 'two']);
    waitSeconds(1);
    expect(await listKept(second)).toEqual(['two']);

    await second.revalidateTag('endpoint:two');
    waitSeconds(1);
    expect(await listKept(first)).toEqual([]);
  });

  it('read the expirations at most once per second', async () => {
    const instance = await startInstance();
    database.mockClear();
    await Promise.all(Array.from({ length: 20 }, () => instance.get('one')));
    expect(database).toHaveBeenCalledTimes(0);
    waitSeconds(1);
    await Promise.all(Array.from({ length: 20 }, () => instance.get('one')));
    expect(database).toHaveBeenCalledTimes(1);
  });

  it('delete all pages after too many changes', async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    await first.revalidateTag(Array.from({ length: 10_001 }, (_, index) => `endpoint:other-${index}`));
    expect(await listKept(first)).toEqual(['one', 'two']);
    waitSeconds(1);
    expect(await listKept(second)).toEqual([]);
  });

  it('serve pages without the database, and send the missed expirations later', async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    database.mockRejectedValue(new TypeError('fetch failed'));
    await first.revalidateTag(['endpoint:one']);
    waitSeconds(1);
    expect(await listKept(first)).toEqual(['two']);
    expect(await listKept(second)).toEqual(['one', 'two']);
    database.mockImplementation(respond);
    waitSeconds(1);
    await first.get('one');
    waitSeconds(1);
    expect(await listKept(second)).toEqual(['two']);
  });
});

it('uses no database for a site of one instance', async () => {
  const instance = await startInstance();
  await instance.revalidateTag(['endpoint:one']);
  waitSeconds(10);
  expect(await listKept(instance)).toEqual(['two']);
  expect(database).not.toHaveBeenCalled();
});
