import { openEnvelope, type Envelope } from './envelope.ts';

/** Longer than any client accepts; what is beyond is not decoded. */
export const MAX_HEADER_LENGTH = 65_536;
/** The largest body read as an envelope, in UTF-16 units: as much as a probe keeps. */
export const MAX_BODY_LENGTH = 262_144;

/** The test the reference client makes before it decodes. Source: @x402/core 2.x, `Base64EncodedRegex`. */
const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export type HeaderFault = 'too-long' | 'not-base64' | 'not-json' | 'not-object';

/** What the PAYMENT-REQUIRED header holds. */
export type HeaderReading =
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly fault: HeaderFault; readonly length: number }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly length: number };

/**
 * Reads a PAYMENT-REQUIRED header the way the reference client does: several fields are joined, an empty one
 * counts as none, base64 must be of the standard alphabet, the text is UTF-8 JSON.
 * Source: x402 v2 HTTP transport; @x402/core 2.x, `decodePaymentRequiredHeader`.
 *
 * @param values the values of every field of that name
 */
export function readHeader(values: readonly string[]): HeaderReading {
  const value = values.map((text) => text.trim()).join(', ');
  if (value === '') return { state: 'absent' };
  const length = value.length;
  if (length > MAX_HEADER_LENGTH) return { state: 'unreadable', fault: 'too-long', length };
  const text = decodeBase64(value);
  if (text === null) return { state: 'unreadable', fault: 'not-base64', length };
  const json = parseJson(text);
  if (json === undefined) return { state: 'unreadable', fault: 'not-json', length };
  const envelope = openEnvelope(json);
  return envelope === null
    ? { state: 'unreadable', fault: 'not-object', length }
    : { state: 'read', envelope, length };
}

/** What the body of an answer holds. */
export type BodyReading =
  | { readonly state: 'absent' }
  /** Not JSON, or JSON that is no object. */
  | { readonly state: 'unreadable' }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly json: unknown };

/** Reads a body as a JSON object, whatever its declared type, as the reference clients do. */
export function readBody(body: string | null): BodyReading {
  if (body === null || body.trim() === '') return { state: 'absent' };
  if (body.length > MAX_BODY_LENGTH) return { state: 'unreadable' };
  const json = parseJson(body);
  const envelope = openEnvelope(json);
  return envelope === null ? { state: 'unreadable' } : { state: 'read', envelope, json };
}

function decodeBase64(value: string): string | null {
  // A length of one more than a multiple of four passes the pattern and still decodes to nothing.
  if (!STANDARD_BASE64.test(value) || value.replace(/=+$/, '').length % 4 === 1) return null;
  try {
    const binary = atob(value);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return new TextDecoder().decode(bytes);
  } catch {
    // Padding in the wrong amount: the pattern lets it through, the decoder does not.
    return null;
  }
}

/** Undefined, which is no JSON value, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
