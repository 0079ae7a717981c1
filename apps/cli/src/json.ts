import { findDuplicateMember } from '@touchstone/x402/strict-json';

/**
 * Parses JSON and rejects duplicate names in an object. Of two members with the same name, JSON.parse keeps the last
 * and other parsers keep the first. So a report with two scores could be valid here and show the other score elsewhere.
 *
 * @throws SyntaxError for invalid JSON or a duplicate name
 */
export function parseStrict(text: string): unknown {
  const json: unknown = JSON.parse(text);
  if (findDuplicateMember(text) !== null)
    throw new SyntaxError('an object contains the same name twice, which parsers interpret differently');
  return json;
}

/** Parses JSON. Returns null for invalid JSON, and for duplicate names, which other parsers could read differently. */
export function parseOrNull(text: string): unknown {
  try {
    return parseStrict(text);
  } catch {
    return null;
  }
}
