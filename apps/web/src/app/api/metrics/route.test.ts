import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { getRequestDurations } from '../../../platform/metrics/process-metrics.ts';
import { METRICS_TIME, OPERATIONAL_METRICS } from '../../../testing/operational-metrics.ts';

// Test files share their modules, so another file may have created the database client with another URL.
vi.resetModules();
const { GET } = await import('./route.ts');

const TOKEN = '0123456789abcdef';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

const database = { calls: 0, isUp: true };
const server = createServer((_request, response) => {
  database.calls += 1;
  response.setHeader('content-type', 'application/json');
  if (!database.isUp) response.statusCode = 500;
  response.end(JSON.stringify(database.isUp ? OPERATIONAL_METRICS : { message: 'broken' }));
});

beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
afterAll(() => server.close());
beforeEach(() => {
  globalThis.touchstoneValues?.delete('database-metrics');
  Object.assign(database, { calls: 0, isUp: true });
  vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('METRICS_TOKEN', TOKEN);
  vi.useFakeTimers({ toFake: ['Date'], now: METRICS_TIME });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const get = (headers: Readonly<Record<string, string>> = AUTHORIZED) =>
  GET(new Request('http://localhost/api/metrics', { headers }));

/** Returns the samples of a response. Each key is a metric name with its labels. */
async function readSamples(response: Response): Promise<ReadonlyMap<string, number>> {
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ [^ ]+$/, ''), Number(line.split(' ').at(-1))]));
}

describe('GET /api/metrics', () => {
  it('responds in the text format of Prometheus', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).toMatch(/^# TYPE touchstone_probe_due_slots gauge\ntouchstone_probe_due_slots 7$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('reports the figures of the database', async () => {
    const samples = await readSamples(await get());
    expect(Object.fromEntries(samples)).toMatchObject({
      touchstone_database_up: 1,
      touchstone_database_size_bytes: 123_456,
      touchstone_probe_oldest_due_slot_age_seconds: 10,
      // A sample of 2,000 endpoints requires 1,800 probes in 30 minutes. The catalog has 10,000 endpoints.
      touchstone_probe_required_per_second: 5,
      'touchstone_probe_recorded_per_second{result="up"}': 2.5,
      'touchstone_queue_items{queue="scores"}': 3,
      'touchstone_queue_oldest_item_age_seconds{queue="rechecks"}': 0,
      'touchstone_payments_open{state="working"}': 0,
      'touchstone_payments_open_oldest_age_seconds{state="settling"}': 10,
      'touchstone_payments_last_day{operation="POST /v1/x402-trust",state="settled"}': 11,
      touchstone_payments_disputed_last_day: 1,
      'touchstone_watch_deliveries_given_up_last_day{reason="dropped"}': 2,
      touchstone_observation_partitions_lead_seconds: 215_990,
      'touchstone_discovery_complete_run_age_seconds{directory="bazaar"}': 10,
      'touchstone_chain_read_lag_seconds{network="eip155:8453"}': 10,
    });
    // The database does not store the time at which a text without embedding was added.
    expect(samples.has('touchstone_queue_oldest_item_age_seconds{queue="search_texts"}')).toBe(false);
    expect(samples.has('touchstone_discovery_complete_run_age_seconds{directory="new"}')).toBe(false);
  });

  it('reads the database once for several scrapes', async () => {
    const responses = await Promise.all([get(), get(), get()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(database.calls).toBe(1);
    await get();
    expect(database.calls).toBe(1);
  });

  it('reports the process while the database is down, and that it is down', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    database.isUp = false;
    const response = await get();
    expect(response.status).toBe(200);
    const samples = await readSamples(response);
    expect(samples.get('touchstone_database_up')).toBe(0);
    expect(samples.has('process_resident_memory_bytes')).toBe(true);
    expect(samples.has('touchstone_probe_due_slots')).toBe(false);
    expect(write).toHaveBeenCalledWith(expect.stringContaining('read the figures for /api/metrics'));
    write.mockRestore();
  });

  it.each([{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${TOKEN}` }])(
    'refuses the headers %j',
    async (headers) => {
      const response = await get(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.text()).not.toContain('touchstone_');
      expect(database.calls).toBe(0);
    },
  );

  it('does not exist without METRICS_TOKEN', async () => {
    vi.stubEnv('METRICS_TOKEN', '');
    expect((await get({ authorization: 'Bearer ' })).status).toBe(404);
  });
});

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })).min(1) })),
});
const dashboardSchema = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

/** Pattern of a metric name in an expression. */
const METRIC_NAME = /\b(?:touchstone|process|nodejs)_\w+/g;
/** Pattern of a metric name with one label that must have an exact value. */
const EXACT_SELECTOR = /\b(touchstone_\w+)\{(\w+="[^"]*")\}/g;
/** Suffix of the sample names of a histogram. */
const HISTOGRAM_SUFFIX = /_(?:bucket|count|sum)$/;

/** Returns the metric names of samples. All samples of a histogram have one metric name. */
const toMetricNames = (samples: ReadonlyMap<string, number>): ReadonlySet<string> =>
  new Set([...samples.keys()].map((sample) => (sample.split('{', 1)[0] ?? '').replace(HISTOGRAM_SUFFIX, '')));

describe('docs/operations', () => {
  const readDocument = (name: string) =>
    readFileSync(new URL(`../../../../../../docs/operations/${name}`, import.meta.url), 'utf8');
  const rules = rulesSchema.parse(parse(readDocument('alert-rules.yaml')));
  const dashboard = dashboardSchema.parse(JSON.parse(readDocument('grafana-dashboard.json')));
  const expressions = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  const used = new Set(
    expressions
      .flatMap((expression) => expression.match(METRIC_NAME) ?? [])
      .map((name) => name.replace(HISTOGRAM_SUFFIX, '')),
  );
  const readAllSamples = async () => {
    getRequestDurations().observe({ operation: 'getTrustReport', status: '200' }, 0.05);
    // CPU time is missing in the default metrics until the process has used some CPU time.
    await sleep(10);
    return readSamples(await get());
  };

  it('uses only metrics that the route has', async () => {
    const names = toMetricNames(await readAllSamples());
    expect([...used].filter((name) => !names.has(name))).toEqual([]);
    expect(used.size).toBeGreaterThan(20);
  });

  it('selects only values of labels that the route has', async () => {
    const samples = [...(await readAllSamples()).keys()];
    const selectors = expressions.flatMap((expression) => [...expression.matchAll(EXACT_SELECTOR)]);
    const unknown = selectors.filter(
      ([, name = '', label = '']) =>
        !samples.some((sample) => sample.startsWith(`${name}{`) && sample.includes(label)),
    );
    expect(unknown.map(([selector]) => selector)).toEqual([]);
    expect(selectors.length).toBeGreaterThan(8);
  });

  it('shows every figure of the service on the dashboard', async () => {
    const names = toMetricNames(await readAllSamples());
    expect([...names].filter((name) => name.startsWith('touchstone_') && !used.has(name))).toEqual([]);
  });

  it('has one rule for each name', () => {
    const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
    expect(names).toEqual([...new Set(names)]);
  });
});
