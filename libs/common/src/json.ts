/** Returns true for a JSON object: neither an array nor null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON from text or from UTF-8 bytes. Returns undefined when the input is not valid JSON. */
export function parseJson(source: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof source === 'string' ? source : new TextDecoder('utf-8', { fatal: true }).decode(source),
    );
  } catch {
    return undefined;
  }
}
