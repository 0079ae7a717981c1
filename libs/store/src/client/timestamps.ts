import { z } from 'zod';

/** Schema of a timestamp as PostgreSQL or PostgREST prints it; parses the text to milliseconds since the epoch. */
export const timestampSchema = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'not a timestamp');

/** Formats milliseconds since the epoch as an ISO 8601 UTC string. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a time in milliseconds since the epoch as its UTC day, YYYY-MM-DD. */
export function formatDay(ms: number): string {
  return formatTimestamp(ms).slice(0, 10);
}
