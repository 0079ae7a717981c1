import type { Json } from './database.generated.ts';

/**
 * Marks a value that consists of plain data only as JSON for supabase-js. Interfaces have no index signature, so the
 * compiler cannot see by itself that they are JSON.
 */
export function toJson(value: object): Json {
  return value as Json;
}
