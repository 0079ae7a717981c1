/**
 * Parses the value of a number option. Any other text is returned unchanged, so that the schema of the request rejects
 * it with the expected range.
 */
export function readNumber(text: string): number | string {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
