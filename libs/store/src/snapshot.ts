import { z } from 'zod';

/** A payment option as it is shown in public. */
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
  /** It calls itself USDC, but its asset is not the network's canonical USDC. */
  falseUsdc: z.boolean().optional(),
});
export type PayOn = z.infer<typeof payOnSchema>;

/**
 * The public snapshot of one endpoint: what page, badge, leaderboard and search read, and nothing beside it.
 * It counts flags but never names them (the reasons are the paid report's).
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
  /** 0..100, one decimal; shown even when the grade is `?`. */
  score: z.number(),
  grade: z.enum(['A', 'B', 'C', 'D', 'F', '?']),
  recommendation: z.enum(['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']),
  /** 0..1, two decimals. */
  confidence: z.number(),
  /** Percent, one decimal; null when no probe counted. */
  uptime30d: z.number().nullable(),
  /** Mean time to first byte in whole milliseconds over the last 30 days; null when none was measured. */
  latencyMs: z.number().int().nullable(),
  latencyLabel: z.enum(['fast', 'moderate', 'sluggish', 'slow']).nullable(),
  probes30d: z.number().int(),
  /** Probes a day that were made, of those that were due: the cadence of the last 30 days. Null when none was due. */
  probedPerDay: z.number().nullable(),
  duePerDay: z.number().nullable(),
  /** Mean time from one probe of the schedule to the next. */
  meanGapSeconds: z.number().int().nullable(),
  amountUsd: z.string().nullable(),
  priceStability: z.enum(['stable', 'changed once', 'varies', 'per item']).nullable(),
  network: z.string().nullable(),
  payOn: z.array(payOnSchema),
  /** ISO 8601 UTC, as are all times here. */
  firstSeen: z.string(),
  lastProbedAt: z.string().nullable(),
  listingStatus: z.enum(['listed', 'delisted']),
  delistedAt: z.string().nullable(),
  /** Names of the directories that list it now. */
  directories: z.array(z.string()),
  computedAt: z.string(),
  contentChangedAt: z.string(),
  daysTracked: z.number().int(),
  errorFlags: z.number().int(),
  warningFlags: z.number().int(),
  /** Null while alternatives have not been computed. */
  betterAlternatives: z.number().int().nullable(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** The ecosystem in numbers, over all public snapshots. */
export const ecosystemSchema = z.object({
  endpoints: z.number().int(),
  listed: z.number().int(),
  delisted: z.number().int(),
  providers: z.number().int(),
  probes30d: z.number().int(),
  grades: z.object({
    A: z.number().int(),
    B: z.number().int(),
    C: z.number().int(),
    D: z.number().int(),
    F: z.number().int(),
    '?': z.number().int(),
  }),
  recommendations: z.object({
    proceed: z.number().int(),
    caution: z.number().int(),
    parameterize: z.number().int(),
    avoid: z.number().int(),
    unverified: z.number().int(),
    free: z.number().int(),
  }),
  lastProbedAt: z.string().nullable(),
});
export type Ecosystem = z.infer<typeof ecosystemSchema>;
