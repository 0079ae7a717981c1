import { previewSchema, TRUST_REPORT_EXAMPLE, type Preview, type TrustReport } from '@touchstone/contract';
import { expect, test } from 'vitest';
import { createDelivery, createPurchase } from '../testing/deliveries.ts';
import {
  createFailure,
  createHealthyInputs,
  createLastDay,
  NOW,
  toDaysAgo,
  withProbes,
} from '../testing/fixtures.ts';
import { createReport } from '../testing/reports.ts';
import type { ScoreInputs } from '../types.ts';

/** Maximum size of the report of a healthy endpoint as compact JSON, in bytes. */
const MAX_REPORT_BYTES = 8_000;
/** Maximum size of what test purchases without trouble add to a report, in bytes. */
const MAX_DELIVERY_BYTES = 420;
/** Maximum size of a preview as compact JSON, in bytes. */
const MAX_PREVIEW_BYTES = 28_000;

const [OPTION] = TRUST_REPORT_EXAMPLE.advertised.options;
const [WALLET] = TRUST_REPORT_EXAMPLE.settlement?.wallets ?? [];

/** Weekly test purchases, which all delivered. */
const BOUGHT = createDelivery([2, 9, 16, 23].map((daysAgo) => createPurchase('delivered', daysAgo)));

/** Returns a report with the signature, compliance, description and number of wallets of a typical endpoint. */
function createTypicalReport(change: Partial<ScoreInputs> = {}): TrustReport {
  const { advertised, compliance, lastFailure, settlement, signature } = TRUST_REPORT_EXAMPLE;
  const report = createReport(createHealthyInputs({ lastFailure: createFailure(), ...BOUGHT, ...change }));
  const options = Array.from({ length: 2 }, () => OPTION ?? []).flat();
  const wallets = Array.from({ length: 2 }, () => WALLET ?? []).flat();
  return {
    ...report,
    ...{ compliance, signature, lastFailure: report.lastFailure ?? lastFailure },
    description: 'Température, précipitations et vent pour chaque ville. '.repeat(6).slice(0, 300),
    advertised: { ...advertised, options },
    settlement: settlement && { ...settlement, wallets },
  };
}

/** Returns the size of a value as compact JSON in UTF-8, in bytes. */
function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

test('the report of a healthy endpoint is small', () => {
  const report = createTypicalReport();
  expect(report).toMatchObject({ recommendation: 'proceed', signature: expect.anything() as unknown });
  expect(report.description).toHaveLength(300);
  expect(report.settlement?.wallets).toHaveLength(2);
  expect(report.advertised?.options).toHaveLength(2);
  expect(report.compliance?.passed.length).toBeGreaterThan(50);
  expect(countBytes({ ...report, delivery: null })).toBeLessThan(MAX_REPORT_BYTES);
  expect(report.delivery).toMatchObject({ state: 'delivered', purchases: [{ outcome: 'delivered' }] });
  expect(countBytes(report.delivery)).toBeLessThan(MAX_DELIVERY_BYTES);
});

test('a preview with a healthy, a slow and a dead endpoint is small', () => {
  const slow = { ...withProbes(1_440, 1_340), latency: { p50: 2_140, p95: 6_110, n: 1_340 } };
  const dead: Partial<ScoreInputs> = {
    ...{ ...withProbes(1_440, 1_200), last24h: createLastDay(48, 'down'), downSince: toDaysAgo(3) },
    ...{ lastChallengedAt: toDaysAgo(3), lastPayableAt: toDaysAgo(3) },
    lastFailure: createFailure({ at: NOW, since: toDaysAgo(3) }),
  };
  const preview: Preview = {
    ...{ generatedAt: TRUST_REPORT_EXAMPLE.generatedAt, population: 1_204, populationSize: 1_204 },
    populationRule: 'Graded endpoints that a directory lists, with a confidence of at least 0.30.',
    samples: [
      { role: 'best', populationRank: 1, report: createTypicalReport() },
      { role: 'median', populationRank: 602, report: createTypicalReport(slow) },
      { role: 'worst', populationRank: 1_204, report: createTypicalReport(dead) },
    ],
  };
  expect(previewSchema.parse(preview)).toEqual(preview);
  expect(countBytes(preview)).toBeLessThan(MAX_PREVIEW_BYTES);
});
