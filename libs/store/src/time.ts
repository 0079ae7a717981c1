import { z } from 'zod';

/** A timestamp as Postgres or PostgREST prints it, read as milliseconds since the epoch. */
export const timeSchema = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'not a timestamp');

/** Milliseconds since the epoch as an ISO 8601 UTC string. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
