import { z } from 'zod';

/** Creates a schema for a whole number in decimal digits, for environment variables and query parameters. */
export function createWholeNumberSchema(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) =>
        `must be a whole number from ${min} to ${max}; received ${String(input) || 'an empty value'}`,
    })
    .transform(Number);
}
