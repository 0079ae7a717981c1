import type { Json } from '../database.generated.ts';

/**
 * Casts plain data to the JSON type of supabase-js. Interfaces have no index signature, so the compiler does not accept
 * them as JSON.
 */
export function toJson(value: object): Json {
  return value as Json;
}
