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

/**
 * Returns true if JSON has more values than the limit, at any depth. Lists, objects, and their elements and members
 * count. A validator creates one issue per invalid value, so a short text such as `[1,1,…]` would cost much time.
 */
export function hasMoreValues(json: unknown, limit: number): boolean {
  const open = [json];
  for (let count = 0; open.length > 0; count += 1) {
    if (count + open.length > limit) return true;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}
