import { failureSchema } from '@touchstone/trust';
import { z } from 'zod';
import { timestampSchema } from '../client/timestamps.ts';

/** Schema of the latest failed probe, with times as PostgreSQL prints them. Parses them to milliseconds. */
export const storedFailureSchema = failureSchema.extend({ at: timestampSchema, since: timestampSchema });

/** Schema of the latest failed probe, with times in ISO 8601 (UTC). */
export const isoFailureSchema = failureSchema.extend({ at: z.string(), since: z.string() });

/** Schema of the numbers of failed probes by cause. */
export const causesSchema = z.record(z.string(), z.number().int());
