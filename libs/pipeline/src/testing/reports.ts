import { expect } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalize } from '@touchstone/catalog';
import { jsonSchemaOf, type TrustReport } from '@touchstone/contract';
import { recompute } from '@touchstone/trust';
import { discover } from '../discover.ts';
import type { ReportContext, ReportOutcome } from '../report-context.ts';
import { scoreChanged } from '../score-changed.ts';
import { sweep } from '../sweep.ts';
import { item, type World } from './world.ts';

export const BASE = 'https://touchstone.example';

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);
const isValid = ajv.compile(jsonSchemaOf('x402-trust', BASE));

/** What every report that leaves the house must be: as its schema has it, and recomputable from itself alone. */
export function expectSound(report: TrustReport): void {
  const sent: unknown = JSON.parse(JSON.stringify(report));
  expect(isValid(sent), JSON.stringify(isValid.errors)).toBe(true);
  expect(recompute(sent)).toMatchObject({ outcome: 'agrees' });
}

/** The report of an outcome, which must be one, and sound. */
export function soundReport(outcome: ReportOutcome): TrustReport {
  if (outcome.kind === 'problem') throw new Error(`${outcome.code}: ${outcome.detail}`);
  expectSound(outcome.report);
  return outcome.report;
}

/** What reports are sold with in a world. */
export function reportContextOf({ context }: World, change: Partial<ReportContext> = {}): ReportContext {
  return { ...context, baseUrl: BASE, ...change };
}

export function idOf(resource: string): string {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return canonical.id;
}

/** Lists an endpoint, has it probed by the schedule half an hour later, and scored. Returns its id. */
export async function makeKnown(world: World, resource: string): Promise<string> {
  world.items = [item(resource)];
  await discover(world.context);
  world.time += 30 * 60_000;
  await sweep(world.context);
  await scoreChanged(world.context);
  world.asked.length = 0;
  world.changed.length = 0;
  return idOf(resource);
}

/** What the schedule and others counted of an endpoint, on the one day on which there was something. */
export async function figuresOf({ context: { db } }: World, id: string) {
  const { data } = await db
    .from('daily_rollups')
    .select('probes, confirmations, scored, up')
    .eq('endpoint_id', id);
  const { count } = await db
    .from('observations')
    .select('*', { count: 'exact', head: true })
    .eq('endpoint_id', id);
  return { ...data?.[0], observations: count };
}
