/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object: neither null nor a list. */
export const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !isJsonList(value);

export const isJsonList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** What a JSON text stands for, or undefined when it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
