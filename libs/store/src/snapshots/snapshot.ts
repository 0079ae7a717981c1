import { DELIVERY_STATES, GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { deliveryFactsSchema, failureSchema, payOnSchema, purchaseFactSchema } from '@touchstone/trust';
import type { ExampleRequest } from '@touchstone/x402';
import { z } from 'zod';
import { createRowSchema, toColumnName } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

export type { PayOn } from '@touchstone/trust';

/** Schema of the numbers of failed probes by cause. */
export const causesSchema = z.record(z.string(), z.number().int());

/** Schema of the example of a request that a provider declares. All values are untrusted. */
export const exampleRequestSchema: z.ZodType<ExampleRequest> = z.object({
  query: z.array(z.tuple([z.string(), z.string()])),
  body: z.object({ type: z.enum(['json', 'form-data', 'text']), value: z.json() }).nullable(),
});

/**
 * Sources of an endpoint. `directory`: a directory lists the endpoint or listed it before. `adopted`: only a paid
 * report added the endpoint.
 */
export const LISTING_SOURCES = ['directory', 'adopted'] as const;

/** Schema of what an endpoint delivered for money in the last 30 days. */
const deliverySchema = z.object({
  state: z.enum(DELIVERY_STATES).nullable(),
  /** Published test purchase that decides the state, or else the newest one; null without a test purchase. */
  last: purchaseFactSchema.omit({ at: true, transaction: true }).extend({ at: z.string() }).nullable(),
  buyers: deliveryFactsSchema.shape.buyers,
});

const snapshotShape = {
  endpointId: z.string(),
  slug: z.string(),
  resource: z.string(),
  host: z.string(),
  method: z.string().nullable(),
  /** Example of a request, which is a claim of the provider; null without an example. */
  exampleRequest: exampleRequestSchema.nullable(),
  serviceName: z.string().nullable(),
  description: z.string().nullable(),
  templated: z.boolean(),
  protocolVersion: z.union([z.literal(1), z.literal(2)]).nullable(),
  /** Score from 0 to 100 with one decimal; also present if the grade is `?`. */
  score: z.number(),
  /** Bounds of the score range. Rankings are ordered by the lower bound. */
  scoreLow: z.number(),
  scoreHigh: z.number(),
  grade: z.enum(GRADES),
  recommendation: z.enum(RECOMMENDATIONS),
  /** 0..1, two decimals. */
  confidence: z.number(),
  /** Uptime of the last 30 days in percent, with one decimal; null if no probe was counted. */
  uptime30d: z.number().nullable(),
  /** Mean time to the last byte in whole milliseconds over the last 30 days; null if not measured. */
  latencyMs: z.number().int().nullable(),
  latencyLabel: z.enum(['fast', 'moderate', 'sluggish', 'slow']).nullable(),
  /** Median and 95th percentile of the time to the last byte in the last 30 days, in whole milliseconds. */
  latencyMsP50: z.number().int().nullable(),
  latencyMsP95: z.number().int().nullable(),
  probes30d: z.number().int(),
  /** Number of probes that count toward uptime. */
  scoredProbes30d: z.number().int(),
  blocked30d: z.number().int(),
  /** Time since which no probe was scored; null if the latest failed probe was scored or not blocked. */
  blockedSince: isoTimestampSchema.nullable(),
  /**
   * Mean number of scheduled probes that were made per day; `duePerDay` is the mean number of probes that were due.
   * Both are means over the last 30 days, and null if no probe was due.
   */
  probedPerDay: z.number().nullable(),
  duePerDay: z.number().nullable(),
  /** Mean time between two scheduled probes, in seconds. */
  meanGapSeconds: z.number().int().nullable(),
  amountUsd: z.string().nullable(),
  /** Lowest and highest advertised price of the last 30 days in US dollars; null if no price was advertised. */
  lowestPriceUsd30d: z.string().nullable(),
  highestPriceUsd30d: z.string().nullable(),
  priceStability: z.enum(['stable', 'changed once', 'varies', 'per item']).nullable(),
  network: z.string().nullable(),
  payOn: z.array(payOnSchema),
  /** Time in ISO 8601 (UTC), like all times of a snapshot. */
  firstSeen: isoTimestampSchema,
  lastProbedAt: isoTimestampSchema.nullable(),
  listingStatus: z.enum(['listed', 'delisted']),
  listingSource: z.enum(LISTING_SOURCES),
  delistedAt: isoTimestampSchema.nullable(),
  /** Names of the directories that list the endpoint now. */
  directories: z.array(z.string()),
  /** Time of the first probe after the latest successful probe; null if the latest probe succeeded. */
  failingSince: isoTimestampSchema.nullable(),
  /**
   * Latest failed probe, also after a recovery, with the numbers of failed probes of the last 30 days by cause. Null if
   * no probe failed in these days.
   */
  lastFailure: failureSchema
    .extend({ at: z.string(), since: z.string(), causes30d: causesSchema })
    .nullable(),
  /**
   * True if the latest challenge passed the compliance checks, also with warnings; null if no challenge was received.
   */
  isCompliant: z.boolean().nullable(),
  /** Null without published test purchases and without outcomes of buyers in the last 30 days. */
  delivery: deliverySchema.nullable(),
  computedAt: isoTimestampSchema,
  contentChangedAt: isoTimestampSchema,
  daysTracked: z.number().int(),
  errorFlags: z.number().int(),
  warningFlags: z.number().int(),
  /** Number of better alternatives to this endpoint; null if the number is not computed yet. */
  betterAlternatives: z.number().int().nullable(),
};

/**
 * Schema of the public snapshot of an endpoint, a row of the table `snapshots`. The endpoint's page and badge, the
 * leaderboard and the search use only this data. The snapshot has the number of flags but not their names, because the
 * paid report sells the reasons.
 */
export const snapshotRowSchema = createRowSchema(snapshotShape);
export type Snapshot = z.infer<typeof snapshotRowSchema>;

/** Names of the public columns of the table `snapshots`, for a query. */
export const SNAPSHOT_COLUMNS: string = Object.keys(snapshotShape).map(toColumnName).join(', ');

/** Schema of the statistics of all public snapshots. */
export const ecosystemSchema = z.object({
  endpoints: z.number().int(),
  /** Number of endpoints that a directory lists. */
  listed: z.number().int(),
  delisted: z.number().int(),
  /** Number of endpoints that a paid report added and no directory has listed. */
  adopted: z.number().int(),
  /** Number of listed endpoints that were probed and whose latest probe succeeded. */
  reachable: z.number().int(),
  /** Number of listed endpoints whose latest challenge passed the compliance checks, also with warnings. */
  compliant: z.number().int(),
  /** Number of different hosts. */
  providers: z.number().int(),
  probes30d: z.number().int(),
  /** Numbers of listed endpoints. */
  grades: z.record(z.enum(GRADES), z.number().int()),
  recommendations: z.record(z.enum(RECOMMENDATIONS), z.number().int()),
  lastProbedAt: isoTimestampSchema.nullable(),
  /**
   * Settlements of the last 30 days to the wallets that listed endpoints advertise, without what was sent back to payers:
   * US dollars with six decimals, number of receiving addresses, number of payers. Computed once an hour; null before
   * the first computation, and if no wallet was measured.
   */
  settledVolumeUsd30d: z.string().nullable(),
  receivers30d: z.number().int().nullable(),
  payers30d: z.number().int().nullable(),
});
export type Ecosystem = z.infer<typeof ecosystemSchema>;
