import { formatTimestamp } from '@touchstone/common';
import { WATCH_CHANNELS, WATCH_EVENT_TYPES, WATCH_LIFECYCLE_TYPES } from '@touchstone/contract';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { timestampSchema } from '../client/values.ts';

const entryTypeSchema = z.enum([...WATCH_EVENT_TYPES, ...WATCH_LIFECYCLE_TYPES]);

const entryFields = {
  sequence: z.number(),
  at: timestampSchema,
  data: z.record(z.string(), z.unknown()),
};
const alertSchema = z.object({
  kind: z.literal('alert'),
  type: z.enum(WATCH_EVENT_TYPES),
  ...entryFields,
});
const lifecycleSchema = z.object({
  kind: z.literal('lifecycle'),
  type: z.enum(WATCH_LIFECYCLE_TYPES),
  ...entryFields,
});

export const logEntrySchema = z.discriminatedUnion('kind', [alertSchema, lifecycleSchema]);

/**
 * Entry in the log of a watch. `at` is in milliseconds since the epoch. `data` is the stored JSON, in which times are
 * ISO 8601 strings:
 * - changes of payment terms: `before` and `after` are `PaymentTerms`
 * - `spec_regression`: `before` and `after` are `{ compliance }`
 * - `delisting`: `before` and `after` are null
 * - `liveness_down`: `before` is `{ liveness: 'up' }`, or `{ liveness: 'down', downSince }` if the endpoint was down
 *   before the watch began; `after` is `{ liveness, downSince, missedProbes, outcome, httpStatus }`
 * - `liveness_recovered`: `before` is `{ liveness, downSince }`; `after` is `{ liveness, outcome, httpStatus }`
 * - `created`, `expiring`, `expired`: `{ expiresAt }`
 * - `renewed`: `before` and `after` are `{ expiresAt }`
 * - `edited`: `{ changed }`
 * - `delivery_disabled`: `{ channel, label, reason }`
 * - `cancelled`: empty
 * - `purchase_not_delivered`: `{ purchase: { purchasedAt, outcome, publishAt, transaction } }`
 */
export type LogEntry = z.infer<typeof logEntrySchema>;

/** Page of a log: alerts and lifecycle events. Both lists are sorted by sequence number. */
export interface WatchLogPage {
  readonly alerts: readonly z.infer<typeof alertSchema>[];
  readonly lifecycle: readonly z.infer<typeof lifecycleSchema>[];
  /** True if there are more alerts or more lifecycle events after this page. */
  readonly hasMore: boolean;
}

const pageSchema = z.object({ entries: z.array(logEntrySchema), hasMore: z.boolean() });

/**
 * Returns the entries of a log after two cursors, which are sequence numbers: alerts after `alertsAfter`, and lifecycle
 * events after `lifecycleAfter`. Returns at most `limit` entries of each kind.
 */
export async function readWatchLog(
  db: Db,
  query: {
    readonly watchId: string;
    readonly alertsAfter: number;
    readonly lifecycleAfter: number;
    readonly limit: number;
  },
): Promise<WatchLogPage> {
  const { entries, hasMore } = pageSchema.parse(await call(db, 'read_watch_log', query));
  return {
    alerts: entries.filter((entry) => entry.kind === 'alert'),
    lifecycle: entries.filter((entry) => entry.kind === 'lifecycle'),
    hasMore,
  };
}

const attemptSchema = createRowSchema({
  at: timestampSchema,
  label: z.string(),
  channel: z.enum(WATCH_CHANNELS),
  sequence: z.number(),
  type: entryTypeSchema,
  durationMs: z.number(),
  phase: z.string().nullable(),
  httpStatus: z.number().nullable(),
  reply: z.string().nullable(),
  error: z.string().nullable(),
  outcome: z.enum(['delivered', 'failed']),
  nextAttemptAt: timestampSchema.nullable(),
});

/**
 * Attempt to deliver a log entry. For a chat message with several entries, `sequence` is the sequence number of the
 * first entry.
 */
export type StoredAttempt = z.infer<typeof attemptSchema>;

/** Returns the latest delivery attempts of a watch, newest first. */
export async function readWatchAttempts(
  db: Db,
  { watchId, limit }: { readonly watchId: string; readonly limit: number },
): Promise<StoredAttempt[]> {
  return z.array(attemptSchema).parse(await call(db, 'read_watch_attempts', { watchId, limit }));
}

/**
 * Logs `expiring` for watches that end within three days, and ends expired watches. Deletes watches 30 days after their
 * end, and unpaid watches after one hour. Each call changes at most `limit` watches of each kind.
 */
export async function advanceWatches(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ expiring: number; expired: number; deleted: number }> {
  return callForRow(db, 'advance_watches', { now: formatTimestamp(now), limit });
}
