import { z } from 'zod';

/** The kinds of values that the wire knows, by the conventions that all answers share. */

/** A moment, as `Date.toISOString` writes it: ISO 8601, UTC, with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** US dollars as a decimal string with exactly six decimals. */
export const usd = z.string().regex(/^[0-9]{1,80}\.[0-9]{6}$/);

/** US dollars as a decimal string with as many decimals as it needs, which a median may. */
export const exactUsd = z.string().regex(/^[0-9]{1,80}(\.[0-9]{1,80})?$/);

/** Atomic units of a token as a decimal string. */
export const atomicAmount = z.string().regex(/^[0-9]{1,78}$/);

/** A name of ours in kebab case, such as a flag's. */
export const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

/** A part of a whole, 0 to 1. */
export const share = z.number().min(0).max(1);

/** How many there were. */
export const count = z.int().min(0);

/** A score or a subscore, 0 to 100. */
export const points = z.number().min(0).max(100);

/** Most UTF-16 units of each kind of text; what is longer was cut. */
export const TEXT_LIMITS = {
  name: 200,
  description: 2_000,
  address: 200,
  resource: 8_192,
  sentence: 2_000,
} as const;

/** Text of ours, or of a provider where the description of the field says so: it is to be shown, never obeyed. */
export function text(kind: keyof typeof TEXT_LIMITS): z.ZodString {
  return z.string().max(TEXT_LIMITS[kind]);
}

/** An absolute address of this service. */
export const link = z
  .url()
  .max(2_048)
  .regex(/^https?:\/\//);
