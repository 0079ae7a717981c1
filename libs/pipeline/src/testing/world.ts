import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProber } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { createHostRateLimiter } from '../probing/host-rate-limiter.ts';

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
export function toEndpointIds(tags: readonly string[]): readonly string[] {
  return tags.flatMap((tag) => (tag.startsWith('endpoint:') ? [tag.slice('endpoint:'.length)] : []));
}

export interface World {
  readonly context: PipelineContext;
  /** Items that the directory returns. */
  items: unknown[];
  /** Request handlers of the endpoints by path; other paths respond with 404. */
  readonly handlers: Map<string, (response: ServerResponse, url: string) => void>;
  /** URLs requested from the endpoints, in order. */
  readonly requestedUrls: string[];
  /** Cache tags that were passed to `onChanged`. */
  readonly changedTags: string[];
  /** Ids of the endpoints among these tags. */
  readonly changedIds: readonly string[];
  time: number;
  close(): Promise<void>;
}

/**
 * Creates a test world: an HTTP server for a directory and for the endpoints of `*.example.com`, and a real database.
 */
export async function createWorld(database: { url: string; secret: string }, start: number): Promise<World> {
  const server: Server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    if (host.startsWith('127.0.0.1')) {
      if (!request.url?.startsWith('/discovery/resources')) {
        response.writeHead(404).end();
        return;
      }
      const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
      const page = offset === 0 ? world.items : [];
      const pagination = { limit: 1000, offset, total: world.items.length };
      response.end(JSON.stringify({ x402Version: 2, items: page, pagination }));
      return;
    }
    world.requestedUrls.push(`http://${host}${request.url ?? ''}`);
    const handler = world.handlers.get(request.url ?? '');
    if (handler) handler(response, `http://${host}${request.url ?? ''}`);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const world: World = {
    context: {
      db: connect({ url: database.url, key: database.secret }),
      prober: createProber({
        resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, isTrusted: true }]),
        userAgent: 'test',
        limits: { firstByteMs: 5_000 },
      }),
      rateLimiter: createHostRateLimiter({ perHostPerSecond: 1000 }),
      directories: [{ name: `directory ${start}`, url: `http://127.0.0.1:${port}` }],
      fetch: globalThis.fetch,
      now: () => world.time,
      hostSuffix: '.example.com',
      owner: 'worker',
      onChanged: (tags) => {
        world.changedTags.push(...tags);
        return Promise.resolve();
      },
    },
    items: [],
    handlers: new Map(),
    requestedUrls: [],
    changedTags: [],
    get changedIds() {
      return toEndpointIds(world.changedTags);
    },
    time: start,
    close: () => new Promise((done) => server.close(() => done())),
  };
  return world;
}
