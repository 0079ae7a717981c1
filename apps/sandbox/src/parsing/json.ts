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

/** Parses a JSON text. Returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
