/** Parsed JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a value as an object; null for anything else, also for an array. */
export function asObject(value: unknown): JsonObject | null {
  // Object.hasOwn in `readMember` keeps members of the prototype out, so any object can be read as a record.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Reads a member of an untrusted value. Returns undefined for a missing or inherited member, and for another type. */
export function readMember(value: unknown, name: string): unknown {
  const object = asObject(value);
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Reads a member that is text. Returns null for another type. */
export function readText(value: unknown, name: string): string | null {
  const member = readMember(value, name);
  return typeof member === 'string' ? member : null;
}

/** Parses JSON. Returns undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
