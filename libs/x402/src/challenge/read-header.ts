import { parseEnvelope, type Envelope } from './envelope.ts';

/**
 * Maximum length of a PAYMENT-REQUIRED value, in characters. Longer values are not decoded, because no client accepts
 * them.
 */
export const MAX_HEADER_LENGTH = 65_536;
/** Maximum length of a body that is parsed, in UTF-16 units. It equals the maximum body size of a probe. */
export const MAX_BODY_LENGTH = 262_144;

/**
 * Pattern that the reference client tests before it decodes a header value. Source: @x402/core 2.x,
 * `Base64EncodedRegex`.
 */
const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Text of ASCII characters only. It is the same before and after UTF-8 decoding. */
const ASCII = /^[\x00-\x7f]*$/;
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const LENIENT_UTF8 = new TextDecoder();
/** White space that HTTP allows around a field value. Other white space is part of the value. Source: RFC 9110, 5.5. */
const HTTP_SPACE = ' \t\r\n';

export type HeaderFault = 'too-long' | 'not-base64' | 'not-json' | 'not-object';

interface Field {
  /** Length of the header value in characters, after all fields are joined. */
  readonly length: number;
  /** Number of PAYMENT-REQUIRED fields in the response. */
  readonly fields: number;
}

interface Unreadable extends Field {
  readonly state: 'unreadable';
  readonly fault: HeaderFault;
  /** Text after base64 decoding; null when decoding failed. */
  readonly text: string | null;
}

interface Read extends Field {
  readonly state: 'read';
  readonly envelope: Envelope;
  /** JSON text from which the envelope was parsed. */
  readonly text: string;
  /** False when the text contained invalid UTF-8, which was replaced by U+FFFD as in the clients. */
  readonly isUtf8: boolean;
}

/** Result of reading the PAYMENT-REQUIRED header. */
export type HeaderReading = { readonly state: 'absent' } | Unreadable | Read;

/**
 * Reads a PAYMENT-REQUIRED header as the reference client does. Joins several fields with commas, and treats an empty
 * value as absent. Decodes the value as standard base64, then as UTF-8, then as JSON.
 * Source: x402 v2 HTTP transport; @x402/core 2.x, `decodePaymentRequiredHeader`.
 *
 * @param values values of all PAYMENT-REQUIRED fields
 */
export function readHeader(values: readonly string[]): HeaderReading {
  const value = values.map(trimField).join(', ');
  if (value === '') return { state: 'absent' };
  const field: Field = { length: value.length, fields: values.length };
  if (field.length > MAX_HEADER_LENGTH) return unreadable(field, 'too-long');
  const decoded = decodeBase64(value);
  if (decoded === null) return unreadable(field, 'not-base64');
  const json = parseJson(decoded.text);
  if (json === undefined) return unreadable(field, 'not-json', decoded.text);
  const envelope = parseEnvelope(json);
  return envelope === null
    ? unreadable(field, 'not-object', decoded.text)
    : { state: 'read', envelope, ...decoded, ...field };
}

function unreadable(field: Field, fault: HeaderFault, text: string | null = null): Unreadable {
  return { state: 'unreadable', fault, text, ...field };
}

type BodyFault = 'not-json' | 'not-object' | 'too-long';

/** Result of reading the body of a response. */
export type BodyReading =
  | { readonly state: 'absent' }
  /** The body is not JSON, is JSON other than an object, or is too long. */
  | { readonly state: 'unreadable'; readonly fault: BodyFault }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly json: unknown };

/**
 * Reads a body as a JSON object. Ignores the declared content type, as the reference clients do.
 *
 * @param isTruncated true when `body` is only the beginning of the response body
 */
export function readBody(body: string | null, isTruncated = false): BodyReading {
  if (body === null || body.trim() === '') return { state: 'absent' };
  if (isTruncated || body.length > MAX_BODY_LENGTH) return { state: 'unreadable', fault: 'too-long' };
  // Fetch removes a byte order mark when it decodes a body, but a saved response may still contain one.
  const json = parseJson(body.startsWith('\ufeff') ? body.slice(1) : body);
  if (json === undefined) return { state: 'unreadable', fault: 'not-json' };
  const envelope = parseEnvelope(json);
  return envelope === null ? { state: 'unreadable', fault: 'not-object' } : { state: 'read', envelope, json };
}

/** Removes HTTP white space at both ends in linear time. A regular expression for the end could take quadratic time. */
function trimField(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && HTTP_SPACE.includes(value.charAt(start))) start += 1;
  while (end > start && HTTP_SPACE.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function decodeBase64(value: string): Pick<Read, 'text' | 'isUtf8'> | null {
  // The pattern accepts any length, but without padding no base64 text has a length of 4n + 1.
  if (!STANDARD_BASE64.test(value) || value.replace(/=+$/, '').length % 4 === 1) return null;
  try {
    const binary = atob(value);
    if (ASCII.test(binary)) return { text: binary, isUtf8: true };
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return decodeUtf8(bytes);
  } catch {
    // The padding has a wrong length, which the pattern accepts and `atob` rejects.
    return null;
  }
}

function decodeUtf8(bytes: Uint8Array): Pick<Read, 'text' | 'isUtf8'> {
  try {
    return { text: STRICT_UTF8.decode(bytes), isUtf8: true };
  } catch {
    return { text: LENIENT_UTF8.decode(bytes), isUtf8: false };
  }
}

/** Parses JSON text. Returns undefined, which is not a JSON value, when the text is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
