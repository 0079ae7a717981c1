import { expect } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { jsonSchemaOf, type TrustReport } from '@touchstone/contract';
import { recompute } from '@touchstone/trust';
import type { ReportContext, ReportOutcome } from '../report-context.ts';
import type { World } from './world.ts';

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
