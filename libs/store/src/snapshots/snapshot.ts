import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { z } from 'zod';

/** A public payment option. */
export const payOnSchema = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  assetSymbol: z.string().nullable(),
  decimals: z.number().int().nullable(),
  /** Atomic units as a decimal string; null when the advertised amount is not a whole number. */
  amount: z.string().nullable(),
  amountUsd: z.string().nullable(),
  payTo: z.string(),
  /** True if the asset calls itself USDC but is not the network's canonical USDC. */
  falseUsdc: z.boolean().optional(),
});
export type PayOn = z.infer<typeof payOnSchema>;

/**
 * The public snapshot of an endpoint, the only source of page, badge, leaderboard and search. It has the number of flags
 * but never their names, because the reasons belong to the paid report.
 */
export const snapshotSchema = z.object({
  endpointId: z.string(),
  slug: z.string(),
  resource: z.string(),
  host: z.string(),
  method: z.string().nullable(),
  serviceName: z.string().nullable(),
  description: z.string().nullable(),
  templated: z.boolean(),
  protocolVersion: z.union([z.literal(1), z.literal(2)]).nullable(),
  /** 0..100, one decimal; present even if the grade is `?`. */
  score: z.number(),
  grade: z.enum(GRADES),
  recommendation: z.enum(RECOMMENDATIONS),
  /** 0..1, two decimals. */
  confidence: z.number(),
  /** Percent, one decimal; null without a counted probe. */
  uptime30d: z.number().nullable(),
  /** Mean time to first byte in whole milliseconds over the last 30 days; null if not measured. */
  latencyMs: z.number().int().nullable(),
  latencyLabel: z.enum(['fast', 'moderate', 'sluggish', 'slow']).nullable(),
  probes30d: z.number().int(),
  /** Probes per day that were made and that were due, over the last 30 days. Null if none was due. */
  probedPerDay: z.number().nullable(),
  duePerDay: z.number().nullable(),
  /** Mean time between two scheduled probes. */
  meanGapSeconds: z.number().int().nullable(),
  amountUsd: z.string().nullable(),
  priceStability: z.enum(['stable', 'changed once', 'varies', 'per item']).nullable(),
  network: z.string().nullable(),
  payOn: z.array(payOnSchema),
  /** ISO 8601 UTC, like all times here. */
  firstSeen: z.string(),
  lastProbedAt: z.string().nullable(),
  listingStatus: z.enum(['listed', 'delisted']),
  delistedAt: z.string().nullable(),
  /** Names of the directories that list the endpoint now. */
  directories: z.array(z.string()),
  computedAt: z.string(),
  contentChangedAt: z.string(),
  daysTracked: z.number().int(),
  errorFlags: z.number().int(),
  warningFlags: z.number().int(),
  /** Null if alternatives are not computed yet. */
  betterAlternatives: z.number().int().nullable(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Statistics of all public snapshots. */
export const ecosystemSchema = z.object({
  endpoints: z.number().int(),
  listed: z.number().int(),
  delisted: z.number().int(),
  providers: z.number().int(),
  probes30d: z.number().int(),
  grades: z.record(z.enum(GRADES), z.number().int()),
  recommendations: z.record(z.enum(RECOMMENDATIONS), z.number().int()),
  lastProbedAt: z.string().nullable(),
});
export type Ecosystem = z.infer<typeof ecosystemSchema>;
