import { z } from 'zod';
import { GRADES, TEXT_LIMITS } from './values.ts';

/** Schemas of simple values that many responses contain. */

/** Time in the format of `Date.toISOString`: ISO 8601, UTC, with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** Amount in US dollars, as a decimal string with exactly six decimals. */
export const usd = z.string().regex(/^[0-9]{1,80}\.[0-9]{6}$/);

/** Amount in US dollars, as a decimal string without rounding. A median may need more than six decimals. */
export const exactUsd = z.string().regex(/^[0-9]{1,80}(\.[0-9]{1,80})?$/);

/** Amount in atomic units of a token, as a decimal string. */
export const atomicAmount = z.string().regex(/^[0-9]{1,78}$/);

/** Name in kebab case, such as the name of a flag. */
export const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

/** Share, from 0 to 1. */
export const share = z.number().min(0).max(1);

/** Count, from 0. */
export const count = z.int().min(0);

/** Score or subscore, from 0 to 100. */
export const points = z.number().min(0).max(100);

/** Id of a purchase: `p_` and 26 lower-case base32 characters. */
export const PURCHASE_ID = /^p_[a-z2-7]{26}$/;

/** Returns the schema of a text. If a field contains unverified text of a provider, its description must say so. */
export function text(kind: keyof typeof TEXT_LIMITS): z.ZodString {
  return z.string().max(TEXT_LIMITS[kind]);
}

/** Grade of an endpoint. */
export const grade = z.enum(GRADES);

/** Absolute URL of this service. */
export const link = z
  .url()
  .max(2_048)
  .regex(/^https?:[/]{2}/);
