import { z } from 'zod';

/** A whole number in decimal digits, as settings and query parameters are written. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);
