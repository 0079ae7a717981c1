import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { timestampSchema } from '../client/values.ts';

/** Maximum numbers of rows and endpoints that are read to compute the operational metrics. */
export interface MetricsLimits {
  /** Maximum number of counted rows of each kind. Larger numbers are reported as this number. */
  readonly maxCountedRows: number;
  /** Number of endpoints whose recorded probes are compared with their schedules. */
  readonly sampledEndpoints: number;
}

const DEFAULT_LIMITS: MetricsLimits = { maxCountedRows: 50_000, sampledEndpoints: 2_000 };

/** Period in which the probes of the sampled endpoints are counted, in seconds. */
const SAMPLE_WINDOW_S = 30 * 60;

const countSchema = z.number().nonnegative();
const nullableTimeSchema = timestampSchema.nullable();

const probesSchema = z
  .object({
    /** Slots that are due now, and slots whose lease has expired. */
    dueSlots: countSchema,
    /** Time of the oldest due slot; null without a due slot. */
    oldestDueAt: nullableTimeSchema,
    leases: countSchema,
    expiredLeases: countSchema,
    /** Number of schedules. A number above `maxCountedRows` is an estimate. */
    scheduled: countSchema,
    sample: z.object({
      endpoints: countSchema,
      /**
       * Number of schedules among which the sampled endpoints were found; null if the sample contains every probed
       * endpoint.
       */
      schedules: countSchema.nullable(),
      required: countSchema,
      recorded: z.object({ up: countSchema, down: countSchema, other: countSchema, excluded: countSchema }),
    }),
  })
  .transform(({ sample, ...probes }) => {
    const scale = sample.schedules === null ? 1 : probes.scheduled / sample.schedules;
    const toRate = (probesInWindow: number): number => (probesInWindow * scale) / SAMPLE_WINDOW_S;
    const { up, down, other, excluded } = sample.recorded;
    return {
      ...probes,
      sampledEndpoints: sample.endpoints,
      /** Probes per second that the schedules required in the last 30 minutes. */
      requiredPerSecond: toRate(sample.required),
      /** Recorded probes per second in the last 30 minutes. `excluded`: self-inflicted failures. */
      recordedPerSecond: {
        up: toRate(up),
        down: toRate(down),
        other: toRate(other),
        excluded: toRate(excluded),
      },
    };
  });

const paymentsSchema = z.object({
  /** Payments whose outcome is not known yet. */
  open: z.array(z.object({ state: z.string(), payments: countSchema, oldestAt: timestampSchema })),
  /** Payments that were created in the last 24 hours. */
  lastDay: z.array(z.object({ operation: z.string(), state: z.string(), payments: countSchema })),
  /**
   * Payments that were found to be disputed in the last 24 hours: a facilitator reported the settlement, and the chain
   * has no transfer.
   */
  disputedLastDay: countSchema,
});

const watchesSchema = z.object({
  active: countSchema,
  attemptsLastHour: z.object({ delivered: countSchema, failed: countSchema }),
  /**
   * Deliveries that were given up in the last 24 hours: `exhausted` after the last attempt, `dropped` together with the
   * destination.
   */
  givenUpLastDay: z.object({ exhausted: countSchema, dropped: countSchema }),
});

const jobsSchema = z.object({
  newestScoreAt: nullableTimeSchema,
  oldestScoreAt: nullableTimeSchema,
  statisticsAt: nullableTimeSchema,
  /** End of the last daily partition of observations. */
  partitionsUntil: nullableTimeSchema,
  directories: z.array(
    z.object({ directory: z.string(), startedAt: timestampSchema, completedAt: nullableTimeSchema }),
  ),
  chains: z.array(
    z.object({
      network: z.string(),
      /** Time of the last block that was read. */
      readUntil: nullableTimeSchema,
      /** Latest time at which all confirmed blocks had been read; null if this never happened. */
      caughtUpAt: nullableTimeSchema,
      groupsBehind: countSchema,
    }),
  ),
});

const operationalMetricsSchema = z.object({
  probes: probesSchema,
  queues: z.array(z.object({ queue: z.string(), items: countSchema, oldestAt: nullableTimeSchema })),
  payments: paymentsSchema,
  watches: watchesSchema,
  jobs: jobsSchema,
  databaseBytes: countSchema,
});

/** Figures of the database for monitoring. Times are milliseconds since the epoch. */
export type OperationalMetrics = z.infer<typeof operationalMetricsSchema>;

/** Reads the figures for monitoring at the time `now`, in milliseconds since the epoch. */
export async function readOperationalMetrics(
  db: Db,
  now: number,
  limits: MetricsLimits = DEFAULT_LIMITS,
): Promise<OperationalMetrics> {
  const response = await call(db, 'operational_metrics', {
    now: formatTimestamp(now),
    limit: limits.maxCountedRows,
    sample: limits.sampledEndpoints,
  });
  return operationalMetricsSchema.parse(response);
}
