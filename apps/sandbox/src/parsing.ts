import { z } from 'zod';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns true for a JSON object, and false for null and arrays. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isJsonList(value);
}

export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

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

/** Hexadecimal digits after 0x, at least one. */
export const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)]);
