import { createTestCategory } from './test-category.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWatchSecret } from '@touchstone/watch';
import { afterAll, beforeAll, vi } from 'vitest';
import { z } from 'zod';
import { PURCHASE_ROW, SNAPSHOT_ROW, WATCH_ROW } from './database-rows.ts';

/** Id of an endpoint that was removed on request. */
export const REMOVED_ID = 'removedd22';
/** Id of an endpoint whose provider opted out of probing and listing. */
export const OPTED_OUT_ID = 'optedout22';

/** Id of an endpoint whose calls fail with status 503. */
const FAILING_ID = 'zzzzzzzzzz';

type Body = Readonly<Record<string, unknown>>;

interface Call {
  readonly name: string;
  readonly body: Body;
}

const bodySchema = z.record(z.string(), z.unknown());
/** Calls that the tests do not count: calls of the rate limiter, and calls for the list of known pages. */
const UNCOUNTED = ['consume_rate_limit', 'page_names'];

/**
 * Test server that replaces the database API. It has one endpoint, one removed endpoint and one active watch of another
 * endpoint. The package `store` tests the functions of the real database.
 */
export class TestDatabase {
  readonly #watch = createWatchSecret();
  readonly #calls: Call[] = [];
  #status = 'active';
  readonly #server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname.split('/').at(-1) ?? '';
      // A table is read with GET and filters in the query; a function gets its parameters in the body.
      const body = text === '' ? Object.fromEntries(searchParams) : bodySchema.parse(JSON.parse(text));
      this.#calls.push({ name, body });
      if (name === 'cancel_watch') this.#status = 'cancelled';
      response.setHeader('content-type', 'application/json');
      if (body['p_endpoint_id'] === FAILING_ID) response.statusCode = 503;
      response.end(JSON.stringify(this.#createResult(name, body)));
    });
  });

  /** Id and secret of the watch. */
  readonly id = this.#watch.id;
  readonly secret = this.#watch.secret;

  /** Starts the test server, and sets its URL in the configuration of this process. */
  async start(): Promise<void> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    const { port } = this.#server.address() as AddressInfo;
    vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${String(port)}`);
    vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
    vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
    vi.stubEnv('BASE_URL', 'https://touchstone.example');
  }

  /** Returns the names of the called tables and functions. */
  listCalls(): readonly string[] {
    return this.#calls.map(({ name }) => name).filter((name) => !UNCOUNTED.includes(name));
  }

  /** Returns the parameters of the first call of a function. */
  findCall(name: string): Body | undefined {
    return this.#calls.find((call) => call.name === name)?.body;
  }

  /**
   * Returns the keys that the rate limiter counted in the database. Only a site with several instances counts in the
   * database.
   */
  listLimitKeys(): readonly unknown[] {
    return this.#calls.flatMap(({ name, body }) => (name === 'consume_rate_limit' ? [body['p_key']] : []));
  }

  /** Deletes all recorded calls, and activates the watch again. */
  reset(): void {
    this.#calls.splice(0);
    this.#status = 'active';
  }

  async close(): Promise<void> {
    vi.unstubAllEnvs();
    // Modules store a database client. Later test files in this process must not get a client of this test server.
    vi.resetModules();
    globalThis.touchstoneValues = undefined;
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #createResult(name: string, body: Body): unknown {
    const { endpoint_id: endpointId, slug, host, content_changed_at: lastModified } = SNAPSHOT_ROW;
    const isEndpoint = body['p_endpoint_id'] === endpointId;
    const { id, secretHash } = this.#watch;
    const results: Readonly<Record<string, unknown>> = {
      consume_rate_limit: [{ allowed: true, remaining: 299, ends_at: '2030-01-01T00:00:00Z' }],
      page_names: body['p_after'] === '' ? [body['p_kind'] === 'host' ? host : endpointId] : [],
      snapshots: body['endpoint_id'] === `eq.${endpointId}` ? [SNAPSHOT_ROW] : [],
      categories: [createTestCategory({ tag: 'machine learning' })],
      sitemap_shards: [{ shard: endpointId.slice(0, 1), lastModified }],
      sitemap_endpoints: body['p_shard'] === endpointId.slice(0, 1) ? [{ slug, lastModified }] : [],
      sitemap_providers: [{ host, lastModified }],
      page_target: {
        slug: isEndpoint || body['p_endpoint_id'] === OPTED_OUT_ID ? slug : null,
        removed: body['p_endpoint_id'] === REMOVED_ID,
        optedOutAt: body['p_endpoint_id'] === OPTED_OUT_ID ? lastModified : null,
      },
      is_claimable: body['p_host'] === host,
      provider_exists: [host, '[2606:4700::1]'].includes(String(body['p_host'])),
      find_check: null,
      endpoint_summary: {
        snapshot: isEndpoint ? SNAPSHOT_ROW : null,
        payTo:
          isEndpoint && body['p_pay_to'] !== undefined
            ? { observed: false, current: false, varies: false, changedAt: null, before: null }
            : null,
        ...{ related: [], optedOutAt: null, knownEndpoints: isEndpoint ? null : 0, provider: null },
      },
      imitable_hosts: [host],
      endpoint_summaries: { endpoints: [], omittedHosts: [], optOuts: [] },
      find_watch_target: body['p_resource'] === WATCH_ROW.resource ? WATCH_ROW : null,
      closest_endpoint: null,
      dispute_subject: null,
      endpoint_disputes: [],
      corrections: [],
      published_purchase: body['p_id'] === PURCHASE_ROW.id ? PURCHASE_ROW : null,
      delivery_ledger: {
        wallets: ['0xa'],
        spent: { todayUsd: '0', totalUsd: '0.01', purchases: 1, charged: 1, undecided: 0, withheld: 0 },
        outcomes: { 'paid-not-delivered': 1 },
        purchases: [],
      },
      watches: body['id'] === `eq.${id}` ? [{ secret_hash: secretHash }] : [],
      find_watch: body['p_id'] === id ? { ...WATCH_ROW, id, secretHash, status: this.#status } : null,
      read_watch_log: { entries: [WATCH_ROW.createdEntry], hasMore: false },
      read_watch_attempts: [],
      edit_watch: true,
      cancel_watch: null,
      create_renewal: 'not-found',
    };
    if (!(name in results)) throw new Error(`The imitation has no table or function ${name}`);
    return results[name];
  }
}

/**
 * Starts the test database before the tests of a file, and loads modules that use the test database. The database
 * client and the limiters of other test files in this process are not used.
 */
export function useTestDatabase<Modules>(load: () => Promise<Modules>): {
  readonly database: TestDatabase;
  readonly getModules: () => Modules;
} {
  const database = new TestDatabase();
  let modules: Modules;
  beforeAll(async () => {
    vi.resetModules();
    await database.start();
    modules = await load();
  });
  afterAll(() => database.close());
  return { database, getModules: () => modules };
}
