import { parseStrict } from '../../verify/parse-strict.ts';

/** Parses JSON. Returns null for invalid JSON, and for duplicate names, which other parsers could read differently. */
export function parseOrNull(text: string): unknown {
  try {
    return parseStrict(text);
  } catch {
    return null;
  }
}
