import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { discover, discoverDirectory } from './discover.ts';
import { useWorld, item } from '../testing/world.ts';

const world = useWorld({ isShared: true });
const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 5, 1);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
});

interface DirectoryRequest {
  readonly path: string;
  readonly limit: number;
  readonly offset: number;
  /** Number of requests that this directory received before this request. */
  readonly index: number;
}

let directories = 0;

/** Starts an HTTP server for a directory with a unique name. */
async function serve(respond: (request: DirectoryRequest, response: ServerResponse) => void) {
  let index = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://directory.example');
    const [limit = 0, offset = 0] = ['limit', 'offset'].map((name) => Number(url.searchParams.get(name)));
    respond({ path: url.pathname, limit, offset, index: index++ }, response);
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

/** Creates a handler that pages items as the CDP directory does: it rounds each offset down to the start of a page. */
function createPages(items: () => readonly unknown[]) {
  return ({ limit, offset }: DirectoryRequest, response: ServerResponse): void => {
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

/** Discovery options that skip the pause before a page is requested again. */
const withoutPauses = { sleep: () => Promise.resolve() };

const createContextAt = (hours: number) => ({ ...world.context, now: () => T0 + hours * HOUR });

async function readSources(resource: string) {
  const db = world.context.db;
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
  it('with different formats are read into one catalogue, each endpoint once, with its sources', async () => {
    const shared = 'https://shared.example.org/weather';
    const cdp = await serve(createPages(() => [item(shared), item('https://a.example.org/x')]));
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
      ...createContextAt(0),
      directories: [cdp, envelope, { ...renamed, url: `${renamed.url}/bazaar/resources` }],
    };
    const { directories: reports } = await discover(context);
    expect(reports).toMatchObject([
      { complete: true, accepted: 2 },
      { complete: true, accepted: 1, rejected: 1 },
      { complete: true, accepted: 1 },
    ]);
    expect(reports.reduce((sum, { listed }) => sum + listed, 0)).toBe(2);
    const sources = await readSources(shared);
    expect(sources.map(({ directory }) => directory)).toEqual([cdp.name, envelope.name, renamed.name]);
    expect(Date.parse(sources[0]?.first_listed_at ?? '')).toBe(T0);

    await discover({ ...context, now: () => T0 + HOUR });
    const [again] = await readSources(shared);
    expect(Date.parse(again?.first_listed_at ?? '')).toBe(T0);
    expect(Date.parse(again?.last_listed_at ?? '')).toBe(T0 + HOUR);
  });

  it('do not wait for one that fails', async () => {
    const good = await serve(createPages(() => [item('https://good.example.org/')]));
    const bad = await serve((_, response) => void response.writeHead(404).end());
    const { directories: reports } = await discover({ ...createContextAt(0), directories: [bad, good] });
    expect(reports).toMatchObject([
      { complete: false, paused: false, note: 'HTTP status 404 at offset 0' },
      { complete: true, accepted: 1 },
    ]);
  });
});

describe('an unreliable directory', () => {
  it('is resumed at the page of the failure, and delists nothing in the meantime', async () => {
    const items = urls('resumed', 95).map((url) => item(url));
    const offsets: number[] = [];
    let isBroken = false;
    const respond = createPages(() => items);
    const directory = await serve((request, response) => {
      offsets.push(request.offset);
      if (isBroken && request.offset >= 70) response.writeHead(429, { 'retry-after': '120' }).end();
      else respond(request, response);
    });
    await discover({ ...createContextAt(0), directories: [directory] });
    isBroken = true;
    items.splice(90);
    for (const minutes of [60, 63, 66]) {
      offsets.length = 0;
      const report = await discoverDirectory(createContextAt(minutes / 60), directory);
      expect(report).toMatchObject({ complete: false, paused: true, delisted: 0, items: 70 });
      expect(offsets[0]).toBe(minutes === 60 ? 0 : 70);
    }
    // The directory requested a pause of two minutes, and only one minute has passed. So no page is read.
    offsets.length = 0;
    await discoverDirectory(createContextAt(67 / 60), directory);
    expect(offsets).toEqual([]);

    isBroken = false;
    expect(await discoverDirectory(createContextAt(70 / 60), directory)).toMatchObject({
      complete: true,
      items: 90,
      accepted: 90,
      delisted: 0,
    });
    expect(offsets).toEqual([70, 80]);
    expect(await discoverDirectory(createContextAt(2), directory)).toMatchObject({
      complete: true,
      delisted: 5,
    });
  });

  it('is reported as unreached when the connection fails', async () => {
    const directory = await serve(() => undefined);
    await new Promise((closed) => servers.pop()?.close(closed));
    const report = await discoverDirectory(createContextAt(0), directory, withoutPauses);
    expect(report).toMatchObject({ unreached: true, paused: true, items: 0 });
  });
});
