import type { Json } from '../database.generated.ts';

/**
 * Casts an object to the JSON type of supabase-js. The compiler does not accept interfaces as JSON, because interfaces
 * have no index signature.
 */
export function toJson(value: object): Json {
  return value as Json;
}
