import { expect } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalize } from '@touchstone/catalog';
import { createJsonSchema, type TrustReport } from '@touchstone/contract';
import { readReportSources } from '@touchstone/store';
import { assembleReport, recompute, type ReportOptions } from '@touchstone/trust';
import { discover } from '../discovery/discover.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import type { ReportContext, ReportOutcome } from '../reports/report-context.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { item, type World } from './world.ts';

export const BASE = 'https://touchstone.example';

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);
const isValid = ajv.compile(createJsonSchema('x402-trust', BASE));

/** Expects that a report matches its schema and that its score can be recomputed from the report alone. */
export function expectValidReport(report: TrustReport): void {
  const sent: unknown = JSON.parse(JSON.stringify(report));
  expect(isValid(sent), JSON.stringify(isValid.errors)).toBe(true);
  expect(recompute(sent)).toMatchObject({ outcome: 'agrees' });
}

/** Expects that a request resulted in a valid report, and returns this report. */
export function expectReport(outcome: ReportOutcome): TrustReport {
  if (outcome.kind === 'problem') throw new Error(`${outcome.code}: ${outcome.detail}`);
  expectValidReport(outcome.report);
  return outcome.report;
}

/** Creates a report context for a test world. */
export function createTestReportContext(
  { context }: World,
  change: Partial<ReportContext> = {},
): ReportContext {
  const { prober } = context;
  const checkNetwork = { prober, rateLimiter: createHostRateLimiter({ perHostPerSecond: 1_000 }) };
  return { ...context, checkNetwork, baseUrl: BASE, vantage: 'EU', ...change };
}

export function toEndpointId(resource: string): string {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return canonical.id;
}

/** Adds an endpoint to the catalog, runs its scheduled probe half an hour later, and scores it. Returns its id. */
export async function listAndProbe(world: World, resource: string): Promise<string> {
  world.items = [item(resource)];
  await discover(world.context);
  world.time += 30 * 60_000;
  await claimAndProbe(world.context);
  await scoreChanged(world.context);
  world.requestedUrls.length = 0;
  world.changedTags.length = 0;
  return toEndpointId(resource);
}

/** Reads the probe counts of an endpoint on its first day with data, and the number of its stored observations. */
export async function readFigures({ context: { db } }: World, id: string) {
  const { data } = await db
    .from('daily_rollups')
    .select('probes, rechecks, scored, up')
    .eq('endpoint_id', id);
  const { count } = await db
    .from('observations')
    .select('*', { count: 'exact', head: true })
    .eq('endpoint_id', id);
  return { ...data?.[0], observations: count };
}

/**
 * Advances the time by half hours, probes all due endpoints after each `every` half hours, and scores all changed
 * endpoints at the end, also those whose probes changed only counters.
 */
export async function probeAndScore(world: World, halfHours: number, every = 1): Promise<void> {
  for (let passed = every; passed <= halfHours; passed += every) {
    world.time += every * 30 * 60_000;
    await claimAndProbe(world.context);
  }
  await scoreChanged(world.context, { includesWaiting: true });
}

/**
 * Creates the report on an endpoint from its stored data. The time of the report is one minute after the time of the
 * world.
 */
export async function readStoredReport(
  world: World,
  resource: string,
  options: Pick<ReportOptions, 'detail'> = {},
): Promise<TrustReport> {
  const id = toEndpointId(resource);
  const source = (await readReportSources(world.context.db, [id])).get(id);
  if (source === undefined) throw new Error(`no report on ${resource}`);
  const generatedAt = world.time + 60_000;
  return assembleReport(source, { baseUrl: BASE, vantage: 'Test lab', generatedAt, ...options });
}
