import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWatchSecret } from '@touchstone/watch';
import { vi } from 'vitest';
import { z } from 'zod';

/** The only endpoint in the catalog. */
const TARGET = {
  endpointId: 'abcdefgh27',
  slug: 'api-example-com-weather-abcdefgh27',
  resource: 'https://api.example.com/weather',
  templated: false,
  isProbed: true,
};

interface Call {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const bodySchema = z.record(z.string(), z.unknown());

/**
 * Starts an imitation of the database API with one active watch, and points the configuration of this process to it.
 * The functions of the real database are tested in the package `store`.
 */
export async function startWatchDatabase() {
  const { id, secret, secretHash } = createWatchSecret();
  const state = { status: 'active', calls: [] as Call[] };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname.split('/').at(-1) ?? '';
      // A table is read with GET and filters in the query; a function gets its parameters in the body.
      const body = text === '' ? Object.fromEntries(searchParams) : bodySchema.parse(JSON.parse(text));
      state.calls.push({ name, body });
      if (name === 'cancel_watch') state.status = 'cancelled';
      const watch = { ...createRow({ id, secretHash }), status: state.status };
      const results: Readonly<Record<string, unknown>> = {
        consume_rate_limit: [{ allowed: true, remaining: 299, ends_at: '2030-01-01T00:00:00Z' }],
        find_watch_target: body['p_resource'] === TARGET.resource ? TARGET : null,
        watches: body['id'] === `eq.${id}` ? [{ secret_hash: secretHash }] : [],
        find_watch: body['p_id'] === id ? watch : null,
        read_watch_log: { entries: LOG, hasMore: false },
        read_watch_attempts: [],
        edit_watch: true,
        cancel_watch: null,
      };
      response.setHeader('content-type', 'application/json');
      if (!(name in results)) response.statusCode = 404;
      response.end(JSON.stringify(results[name] ?? null));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
  return {
    id,
    secret,
    /** Names of the called functions without those of the rate limiter. */
    listCalls: () => state.calls.map(({ name }) => name).filter((name) => name !== 'consume_rate_limit'),
    findCall: (name: string) => state.calls.find((call) => call.name === name)?.body,
    reset: () => {
      Object.assign(state, { status: 'active', calls: [] });
    },
    close: async () => {
      vi.unstubAllEnvs();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function createRow({ id, secretHash }: { readonly id: string; readonly secretHash: string }) {
  return {
    id,
    secretHash,
    ...TARGET,
    signingKey: 'encrypted',
    events: ['payto_change', 'liveness_down'],
    livenessSensitivityN: 2,
    createdAt: '2026-03-01T00:00:00Z',
    activatedAt: '2026-03-01T00:00:05Z',
    expiresAt: '2026-03-31T00:00:00Z',
    cancelledAt: null,
    downSince: null,
    lastSequence: 1,
    destinations: [],
  };
}

const LOG = [
  {
    sequence: 1,
    kind: 'lifecycle',
    type: 'created',
    at: '2026-03-01T00:00:05Z',
    data: { expiresAt: '2026-03-31T00:00:00Z' },
  },
];
