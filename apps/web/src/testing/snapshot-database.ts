import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import { z } from 'zod';

/** Row of the only endpoint in the catalog, as the database API returns it. */
export const SNAPSHOT_ROW = {
  endpoint_id: 'xvdduuxtfa',
  slug: 'api-example-com-weather-xvdduuxtfa',
  resource: 'https://api.example.com/weather',
  host: 'api.example.com',
  method: 'GET',
  service_name: null,
  description: null,
  templated: false,
  protocol_version: 2,
  score: 87.4,
  score_low: 80,
  score_high: 90,
  grade: 'A',
  recommendation: 'proceed',
  confidence: 0.87,
  uptime_30d: null,
  latency_ms: null,
  latency_label: null,
  probes_30d: 0,
  probed_per_day: null,
  due_per_day: null,
  mean_gap_seconds: null,
  amount_usd: null,
  lowest_price_usd_30d: null,
  highest_price_usd_30d: null,
  price_stability: null,
  network: null,
  pay_on: [],
  first_seen: '2026-01-02T03:04:05+00:00',
  last_probed_at: null,
  listing_status: 'listed',
  listing_source: 'directory',
  delisted_at: null,
  directories: ['cdp'],
  failing_since: null,
  last_failure: null,
  is_compliant: null,
  computed_at: '2026-03-04T12:34:56+00:00',
  content_changed_at: '2026-03-03T00:00:00+00:00',
  days_tracked: 61,
  error_flags: 0,
  warning_flags: 0,
  better_alternatives: null,
};

/** Id of an endpoint that was removed on request. */
export const REMOVED_ID = 'removedd22';

const bodySchema = z.record(z.string(), z.unknown());

/**
 * Starts an imitation of the database API with one endpoint and one removed endpoint, and points the configuration of this process to it. The
 * functions of the real database are tested in the package `store`.
 */
export async function startSnapshotDatabase() {
  const calls: { name: string; body: Readonly<Record<string, unknown>> }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname.split('/').at(-1) ?? '';
      // A table is read with GET and filters in the query; a function gets its parameters in the body.
      const body = text === '' ? Object.fromEntries(searchParams) : bodySchema.parse(JSON.parse(text));
      calls.push({ name, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(createResult(name, body)));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
  return {
    /** Names of the called tables and functions, without those of the rate limiter and of the list of known pages. */
    listCalls: () =>
      calls.map(({ name }) => name).filter((name) => !['consume_rate_limit', 'page_names'].includes(name)),
    /** Keys that the rate limiter counted in the database. It does this if the site has several instances. */
    listLimitKeys: () =>
      calls.flatMap(({ name, body }) => (name === 'consume_rate_limit' ? [body['p_key']] : [])),
    reset: () => void calls.splice(0),
    close: async () => {
      vi.unstubAllEnvs();
      // Modules keep a database client. Later test files in this process must not get a client of this imitation.
      vi.resetModules();
      globalThis.touchstoneValues = undefined;
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function createResult(name: string, body: Readonly<Record<string, unknown>>): unknown {
  const { endpoint_id: endpointId, content_changed_at: lastModified } = SNAPSHOT_ROW;
  switch (name) {
    case 'consume_rate_limit':
      return [{ allowed: true, remaining: 299, ends_at: '2030-01-01T00:00:00Z' }];
    case 'page_names':
      return body['p_after'] === '' ? [body['p_kind'] === 'host' ? SNAPSHOT_ROW.host : endpointId] : [];
    case 'snapshots':
      return body['endpoint_id'] === `eq.${endpointId}` ? [SNAPSHOT_ROW] : [];
    case 'sitemap_shards':
      return [{ shard: endpointId.slice(0, 1), lastModified }];
    case 'sitemap_endpoints':
      return body['p_shard'] === endpointId.slice(0, 1) ? [{ slug: SNAPSHOT_ROW.slug, lastModified }] : [];
    case 'sitemap_providers':
      return [{ host: SNAPSHOT_ROW.host, lastModified }];
    case 'page_target':
      return {
        slug: body['p_endpoint_id'] === endpointId ? SNAPSHOT_ROW.slug : null,
        removed: body['p_endpoint_id'] === REMOVED_ID,
      };
    case 'endpoint_summary':
      return {
        snapshot: body['p_endpoint_id'] === endpointId ? SNAPSHOT_ROW : null,
        payTo:
          body['p_endpoint_id'] === endpointId && body['p_pay_to'] !== undefined
            ? { observed: false, current: false }
            : null,
        related: [],
      };
    default:
      throw new Error(`The imitation has no table or function ${name}`);
  }
}
