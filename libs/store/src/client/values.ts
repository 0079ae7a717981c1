import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';

/** Schema of a timestamp as PostgreSQL or PostgREST prints it; parses the text to milliseconds since the epoch. */
export const timestampSchema = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'not a timestamp');

/** Schema of a timestamp as PostgreSQL or PostgREST prints it; converts the text to ISO 8601 in UTC. */
export const isoTimestampSchema = timestampSchema.transform(formatTimestamp);

/** Schema of a whole number that can be above 2^53, such as an amount or a block number, as the database prints it. */
export const bigintSchema = z
  .union([z.number(), z.string()])
  .transform((value) => z.string().regex(/^\d+$/).parse(String(value)))
  .transform(BigInt);
