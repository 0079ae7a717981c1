import { z } from 'zod';

/** A timestamp as Postgres or PostgREST prints it, parsed to milliseconds since the epoch. */
export const timestampSchema = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'not a timestamp');

/** Formats milliseconds since the epoch as an ISO 8601 UTC string. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats the UTC day of a time in milliseconds since the epoch, as YYYY-MM-DD. */
export function formatDay(ms: number): string {
  return formatTimestamp(ms).slice(0, 10);
}
