import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProber } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { createManners } from '../manners.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const WALLET = `0x${'1'.repeat(40)}`;

export interface Offer {
  readonly amount?: string;
  readonly payTo?: string;
}

/** Answers with a v2 challenge as the reference server sends it. */
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
        asset: USDC,
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

/** A directory item of version 2. */
export function item(resource: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return { resource, type: 'http', x402Version: 2, description: 'Weather by city', accepts: [], ...extra };
}

export interface World {
  readonly context: PipelineContext;
  /** What the directory lists now. */
  items: unknown[];
  /** How a path answers now; 404 for others. */
  readonly answers: Map<string, (response: ServerResponse, url: string) => void>;
  /** URLs that were asked for, in order. */
  readonly asked: string[];
  /** Endpoints that were told to have changed. */
  readonly changed: string[];
  time: number;
  close(): Promise<void>;
}

/** A directory and the endpoints of `*.example.com`, on real HTTP, before a real database. */
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
    world.asked.push(`http://${host}${request.url ?? ''}`);
    const answer = world.answers.get(request.url ?? '');
    if (answer) answer(response, `http://${host}${request.url ?? ''}`);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const world: World = {
    context: {
      db: connect({ url: database.url, key: database.secret }),
      prober: createProber({
        resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, vouched: true }]),
        userAgent: 'test',
        limits: { firstByteMs: 5_000 },
      }),
      manners: createManners({ perHostPerSecond: 1000 }),
      directories: [{ name: `directory ${start}`, url: `http://127.0.0.1:${port}` }],
      fetch: globalThis.fetch,
      now: () => world.time,
      hostSuffix: '.example.com',
      owner: 'worker',
      onChanged: (ids) => {
        world.changed.push(...ids);
        return Promise.resolve();
      },
    },
    items: [],
    answers: new Map(),
    asked: [],
    changed: [],
    time: start,
    close: () => new Promise((done) => server.close(() => done())),
  };
  return world;
}
