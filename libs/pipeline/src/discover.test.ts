import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { discover, discoverDirectory } from './discover.ts';
import { createWorld, item, type World } from './testing/world.ts';

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 5, 1);
const keys = createKeys();
let database: EmbeddedDatabase;
let world: World;
beforeAll(async () => {
  database = await startMigrated({ keys });
  world = await createWorld({ url: database.url, secret: keys.secret }, T0);
});
afterAll(async () => {
  await world.close();
  await database.close();
});

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
});

interface Asked {
  readonly path: string;
  readonly limit: number;
  readonly offset: number;
  readonly turn: number;
}

let directories = 0;

/** A directory on real HTTP, under a name of its own. */
async function serve(answer: (asked: Asked, response: ServerResponse) => void) {
  let turn = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://directory.example');
    const [limit = 0, offset = 0] = ['limit', 'offset'].map((name) => Number(url.searchParams.get(name)));
    answer({ path: url.pathname, limit, offset, turn: turn++ }, response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  directories += 1;
  const { port } = server.address() as AddressInfo;
  return { name: `directory ${directories}`, url: `http://127.0.0.1:${port}`, pageSize: 10 };
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** As CDP does it: offsets are rounded down to whole pages, and a page may be short. */
function paged(items: () => readonly unknown[]) {
  return ({ limit, offset }: Asked, response: ServerResponse): void => {
    const from = Math.floor(offset / limit) * limit;
    const all = items();
    send(response, {
      x402Version: 2,
      items: all.slice(from, from + limit),
      pagination: { limit, offset, total: all.length },
    });
  };
}

const urls = (host: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://${host}.example.org/${index}`);

/** No pause between two requests for the same page is waited for. */
const hasty = { sleep: () => Promise.resolve() };

const at = (hours: number) => ({ ...world.context, now: () => T0 + hours * HOUR });

async function sourcesOf(resource: string) {
  const db = connect({ url: database.url, key: keys.secret });
  const { data } = await db
    .from('listings')
    .select(
      'directory, first_listed_at, last_listed_at, delisted_at, endpoints!inner(resource, listing_status)',
    )
    .eq('endpoints.resource', resource)
    .order('directory');
  return data ?? [];
}

describe('several directories', () => {
  it('of every shape are read into one catalogue, each endpoint once, with its sources', async () => {
    const shared = 'https://shared.example.org/weather';
    const cdp = await serve(paged(() => [item(shared), item('https://a.example.org/x')]));
    const envelope = await serve(({ offset }, response) => {
      const items = [
        { ...item('HTTPS://Shared.Example.org:443/weather#top'), x402Version: 1, accepts: [] },
        { type: 'mcp', resource: 'https://mcp.example.org/' },
      ];
      send(response, { success: true, data: { items: offset === 0 ? items : [] } });
    });
    const renamed = await serve(({ path, offset }, response) => {
      const items = [{ url: shared, lastUpdated: 1_780_000_000, accepts: [] }];
      if (path === '/bazaar/resources') send(response, { items: offset === 0 ? items : [] });
      else response.writeHead(404).end();
    });
    const context = {
      ...at(0),
      directories: [cdp, envelope, { ...renamed, url: `${renamed.url}/bazaar/resources` }],
    };
    const { directories: reports } = await discover(context);
    expect(reports).toMatchObject([
      { complete: true, accepted: 2 },
      { complete: true, accepted: 1, rejected: 1 },
      { complete: true, accepted: 1 },
    ]);
    expect(reports.reduce((sum, { listed }) => sum + listed, 0)).toBe(2);
    const sources = await sourcesOf(shared);
    expect(sources.map(({ directory }) => directory)).toEqual([cdp.name, envelope.name, renamed.name]);
    expect(Date.parse(sources[0]?.first_listed_at ?? '')).toBe(T0);

    await discover({ ...context, now: () => T0 + HOUR });
    const [again] = await sourcesOf(shared);
    expect(Date.parse(again?.first_listed_at ?? '')).toBe(T0);
    expect(Date.parse(again?.last_listed_at ?? '')).toBe(T0 + HOUR);
  });

  it('do not wait for one that is in trouble', async () => {
    const good = await serve(paged(() => [item('https://good.example.org/')]));
    const bad = await serve((_, response) => void response.writeHead(404).end());
    const { directories: reports } = await discover({ ...at(0), directories: [bad, good] });
    expect(reports).toMatchObject([
      { complete: false, paused: false, note: 'answered 404, at offset 0' },
      { complete: true, accepted: 1 },
    ]);
  });

  it('keep an endpoint until each of them has missed it twice', async () => {
    const [kept = '', ...others] = urls('kept', 8);
    let inFirst = true;
    let inSecond = true;
    const list = (has: boolean) => [...others, ...(has ? [kept] : [])].map((url) => item(url));
    const pair = [await serve(paged(() => list(inFirst))), await serve(paged(() => list(inSecond)))];
    const statusAt = async (hours: number) => {
      await discover({ ...at(hours), directories: pair });
      return (await sourcesOf(kept))[0]?.endpoints.listing_status;
    };
    await statusAt(0);
    inFirst = false;
    for (const hours of [1, 2, 3]) expect(await statusAt(hours)).toBe('listed');
    inSecond = false;
    expect(await statusAt(4)).toBe('listed');
    expect(await statusAt(5)).toBe('delisted');
    inFirst = true;
    expect(await statusAt(6)).toBe('listed');
  });
});

describe('a directory that cannot be trusted', () => {
  it('is gone on with at the page where it broke off, and delists nothing meanwhile', async () => {
    const items = urls('resumed', 95).map((url) => item(url));
    const asked: number[] = [];
    let broken = false;
    const answer = paged(() => items);
    const directory = await serve((request, response) => {
      asked.push(request.offset);
      if (broken && request.offset >= 70) response.writeHead(429, { 'retry-after': '120' }).end();
      else answer(request, response);
    });
    await discover({ ...at(0), directories: [directory] });
    broken = true;
    items.splice(90);
    for (const minutes of [60, 63, 66]) {
      asked.length = 0;
      const report = await discoverDirectory(at(minutes / 60), directory);
      expect(report).toMatchObject({ complete: false, paused: true, delisted: 0, items: 70 });
      expect(asked[0]).toBe(minutes === 60 ? 0 : 70);
    }
    // It wanted two minutes, and one has passed.
    asked.length = 0;
    await discoverDirectory(at(67 / 60), directory);
    expect(asked).toEqual([]);

    broken = false;
    expect(await discoverDirectory(at(70 / 60), directory)).toMatchObject({
      complete: true,
      items: 90,
      accepted: 90,
      delisted: 0,
    });
    expect(asked).toEqual([70, 80]);
    expect(await discoverDirectory(at(2), directory)).toMatchObject({ complete: true, delisted: 5 });
  });

  it('may be read a few pages at a time', async () => {
    const directory = await serve(paged(() => urls('pages', 35).map((url) => item(url))));
    for (const items of [20, 35]) {
      const report = await discoverDirectory(at(0), directory, { pages: 2 });
      expect(report).toMatchObject({ items, accepted: items, listed: items });
    }
    expect(await discoverDirectory(at(1), directory)).toMatchObject({ complete: true, listed: 0 });
  });

  it.each([
    [
      'shrinks',
      (_: Asked, response: ServerResponse) =>
        send(response, { items: [item('https://one.example.org/')], pagination: { total: 1 } }),
    ],
    [
      'is empty',
      (_: Asked, response: ServerResponse) => send(response, { items: [], pagination: { total: 0 } }),
    ],
    ['answers with a page of its own', (_: Asked, response: ServerResponse) => void response.end('<html>')],
    [
      'answers with something else',
      (_: Asked, response: ServerResponse) => send(response, { error: 'moved' }),
    ],
    [
      'redirects',
      (_: Asked, response: ServerResponse) =>
        void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'repeats its first page',
      (_: Asked, response: ServerResponse) =>
        send(response, { items: [item('https://one.example.org/')], pagination: { total: 40 } }),
    ],
  ])('delists nothing when it %s', async (what, misbehave) => {
    const host = what.replaceAll(' ', '-');
    const list = paged(() => urls(host, 12).map((url) => item(url)));
    let good = true;
    const directory = await serve((asked, response) => (good ? list : misbehave)(asked, response));
    await discoverDirectory(at(0), directory, hasty);
    good = false;
    for (const hours of [1, 8, 15]) {
      const report = await discoverDirectory(at(hours), directory, hasty);
      expect(report).toMatchObject({ complete: false, delisted: 0 });
      expect(report.note).not.toBeNull();
    }
    const [source] = await sourcesOf(`https://${host}.example.org/7`);
    expect(source?.endpoints.listing_status).toBe('listed');
  });

  it('is told from a network of our own that is down', async () => {
    const directory = await serve(() => undefined);
    await new Promise((closed) => servers.pop()?.close(closed));
    const report = await discoverDirectory(at(0), directory, hasty);
    expect(report).toMatchObject({ unreached: true, paused: true, items: 0 });
  });
});
