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

/**
 * Reads a body as text, up to a maximum size. Text that is not UTF-8 gets replacement characters, as with
 * `Response.text`.
 *
 * @returns null for a larger body, of which the rest is not read
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return '';
  // The type of the platform leaves the type of the chunks open. Bodies of responses consist of bytes.
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // A second reader of the same response may still read on, so the result of this promise may come much later.
      void reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
