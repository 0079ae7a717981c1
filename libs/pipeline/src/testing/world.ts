import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createProber } from '@touchstone/probe';
import { connect, createPublicStore, type Db, type PublicStore } from '@touchstone/store';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PipelineContext } from '../context.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const WALLET = `0x${'1'.repeat(40)}`;

export interface Offer {
  readonly amount?: string;
  readonly payTo?: string;
  readonly asset?: string;
}

/** Sends an x402 v2 payment challenge in the format of the reference server. */
export function challenge(response: ServerResponse, url: string, offer: Offer = {}): void {
  const terms = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Weather by city', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: offer.amount ?? '10000',
        asset: offer.asset ?? USDC,
        payTo: offer.payTo ?? WALLET,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  };
  response
    .writeHead(402, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': Buffer.from(JSON.stringify(terms)).toString('base64'),
    })
    .end('{}');
}

/** Creates a directory item of x402 version 2. */
export function item(resource: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return { resource, type: 'http', x402Version: 2, description: 'Weather by city', accepts: [], ...extra };
}

/** Returns the ids of the endpoints whose pages have one of the cache tags. */
function toEndpointIds(tags: readonly string[]): readonly string[] {
  return tags.flatMap((tag) => (tag.startsWith('endpoint:') ? [tag.slice('endpoint:'.length)] : []));
}

/** Request handlers of the endpoints by path; other paths respond with 404. */
type Handlers = Map<string, (response: ServerResponse, url: string) => void>;

export interface World {
  readonly database: EmbeddedDatabase;
  readonly keys: ReturnType<typeof createKeys>;
  readonly publicStore: PublicStore;
  /** Dependencies of the jobs. The jobs probe only `host` and its subdomains. */
  readonly context: PipelineContext;
  /** Host of the current test. Its endpoints are on this host or on hosts below it. */
  readonly host: string;
  /** Items that the directory returns. */
  items: unknown[];
  readonly handlers: Handlers;
  /** URLs that were requested from the endpoints, in order of arrival. */
  readonly requestedUrls: string[];
  /** Cache tags that were passed to `onChanged`. */
  readonly changedTags: string[];
  /** Ids of the endpoints whose tags are in `changedTags`. */
  readonly changedIds: readonly string[];
  time: number;
  /** Returns a URL on the host of the test, or on a host below it. */
  toUrl(path: string, name?: string): string;
  /** Connects to the database through a `fetch` function. */
  connect(fetch: typeof globalThis.fetch): Db;
  /** Begins with a new time, a new host, and without items, handlers and recorded requests. */
  begin(): void;
  /** Deletes all endpoints with their observations, schedules, leases, watches and texts. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Number of months between the start times of two tests. No test advances the time that far. */
const MONTHS_PER_TEST = 4;

export interface UseWorldOptions {
  /** Returns the time at which a test begins, in milliseconds since the epoch. The first test has the number 1. */
  readonly toStart?: (test: number) => number;
  /** True if all tests of the file share one state. Then the jobs probe all hosts of `*.example.com`. */
  readonly isShared?: boolean;
}

/**
 * Opens a world for all tests of a file: a real database, and an HTTP server for a directory and for the endpoints of
 * `*.example.com`. Each test begins with its own host and its own time. The world can be used when the tests run.
 */
export function useWorld(options: UseWorldOptions = {}): World {
  const { isShared = false } = options;
  let opened: World | null = null;
  beforeAll(async () => {
    opened = await createWorld(options);
    if (isShared) opened.begin();
  });
  beforeEach(() => {
    if (!isShared) opened?.begin();
  });
  afterAll(() => opened?.close());
  return toLazy(() => {
    if (opened === null) throw new Error('the world opens before the first test');
    return opened;
  });
}

/** Returns an object that reads its members from another object, which may be created later. */
export function toLazy<Value extends object>(read: () => Value): Value {
  // The proxy has the members of the value, so it can be used as this value.
  return new Proxy({} as Value, {
    get: (_, name) => Reflect.get(read(), name) as unknown,
    set: (_, name, value) => Reflect.set(read(), name, value),
  });
}

const toMonth = (test: number): number => Date.UTC(2026, MONTHS_PER_TEST * test, 1);

async function createWorld({ toStart = toMonth, isShared = false }: UseWorldOptions): Promise<World> {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const server = createServer((request, response) => respond(world, request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const connectWith = (fetch: typeof globalThis.fetch): Db =>
    connect({ url: database.url, key: keys.secret, fetch });
  const shared = {
    db: connectWith(globalThis.fetch),
    prober: createProber({
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, isTrusted: true }]),
      userAgent: 'test',
      limits: { firstByteMs: 5_000 },
    }),
    fetch: globalThis.fetch,
    now: () => world.time,
    owner: 'worker',
    onChanged: (tags: readonly string[]) => {
      world.changedTags.push(...tags);
      return Promise.resolve();
    },
  };
  let tests = 0;
  const createContext = (): PipelineContext => ({
    ...shared,
    rateLimiter: createHostRateLimiter({ perHostPerSecond: 1000 }),
    directories: [{ name: `directory ${tests}`, url: `http://127.0.0.1:${port}` }],
    hostSuffix: isShared ? '.example.com' : `t${tests}.example.com`,
  });
  const state = { context: createContext(), host: '', items: [] as unknown[], time: 0 };
  const world: World = Object.assign(state, {
    database,
    keys,
    publicStore: createPublicStore({ url: database.url, key: keys.publishable }),
    handlers: new Map() as Handlers,
    requestedUrls: [] as string[],
    changedTags: [] as string[],
    changedIds: [] as readonly string[],
    toUrl: (path: string, name?: string) =>
      `http://${name === undefined ? '' : `${name}.`}${state.host}${path}`,
    connect: connectWith,
    begin: () => {
      tests += 1;
      Object.assign(state, { context: createContext(), host: `t${tests}.example.com`, items: [] });
      state.time = toStart(tests);
      world.handlers.clear();
      world.requestedUrls.length = 0;
      world.changedTags.length = 0;
    },
    clear: async () => {
      const tables = [
        'watches',
        'endpoints',
        'observations',
        'leases',
        'host_queues',
        'scoring_queue',
        'search_texts',
      ];
      await database.connection.driver.exec(tables.map((table) => `delete from public.${table};`).join(' '));
    },
    close: async () => {
      await new Promise((done) => server.close(done));
      await database.close();
    },
  });
  // `changedIds` is a getter, because the ids are derived from the current tags.
  Object.defineProperty(world, 'changedIds', { get: () => toEndpointIds(world.changedTags) });
  return world;
}

/** Responds as the directory, or as an endpoint. */
function respond(world: World, ...[request, response]: Parameters<RequestListener>): void {
  const { host = '', url = '' } = { host: request.headers.host, url: request.url };
  if (!host.startsWith('127.0.0.1')) {
    respondAsEndpoint(world, response, { url: `http://${host}${url}`, path: url });
    return;
  }
  if (!url.startsWith('/discovery/resources')) {
    response.writeHead(404).end();
    return;
  }
  const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
  const page = offset === 0 ? world.items : [];
  const pagination = { limit: 1000, offset, total: world.items.length };
  response.end(JSON.stringify({ x402Version: 2, items: page, pagination }));
}

/** Records a request to an endpoint, and responds with the handler of its path. */
export function respondAsEndpoint(
  { handlers, requestedUrls }: Pick<World, 'handlers' | 'requestedUrls'>,
  response: ServerResponse,
  { url, path }: { readonly url: string; readonly path: string },
): void {
  requestedUrls.push(url);
  const handler = handlers.get(path);
  if (handler) handler(response, url);
  else response.writeHead(404).end();
}
