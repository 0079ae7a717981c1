import { FAILURE_PHASES } from '@touchstone/contract';
import { z } from 'zod';
import { timestampSchema } from '../client/timestamps.ts';

/** Schema of the cause of a failed probe. */
const causeSchema = z.object({
  phase: z.enum(FAILURE_PHASES),
  httpStatus: z.number().int().nullable(),
  /** Cause in kebab case, such as `http-410` or `timeout`. */
  error: z.string(),
  /** Cause as one sentence. */
  detail: z.string(),
});

/** Schema of the latest failed probe, with times in milliseconds since the epoch. */
export const failureMsSchema = causeSchema.extend({
  at: z.number(),
  /** Time of the first probe of that outage, in which no probe succeeded. */
  since: z.number(),
});

/** Schema of the latest failed probe, with times as PostgreSQL prints them. Parses them to milliseconds. */
export const storedFailureSchema = causeSchema.extend({ at: timestampSchema, since: timestampSchema });

/** Schema of the latest failed probe, with times in ISO 8601 (UTC). */
export const isoFailureSchema = causeSchema.extend({ at: z.string(), since: z.string() });

/** Schema of the numbers of failed probes by cause. */
export const causesSchema = z.record(z.string(), z.number().int());
