import { parseEnvelope, type Envelope } from './envelope.ts';

/** Longer than any client accepts; what is beyond is not decoded. */
export const MAX_HEADER_LENGTH = 65_536;
/** The largest body read as an envelope, in UTF-16 units: as much as a probe keeps. */
export const MAX_BODY_LENGTH = 262_144;

/** The test the reference client makes before it decodes. Source: @x402/core 2.x, `Base64EncodedRegex`. */
const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Bytes of these values mean the same in ASCII and in UTF-8. */
const ASCII = /^[\x00-\x7f]*$/;
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const LENIENT_UTF8 = new TextDecoder();
/** What HTTP allows around a field value; other blanks belong to the value. Source: RFC 9110, 5.5. */
const HTTP_SPACE = ' \t\r\n';

export type HeaderFault = 'too-long' | 'not-base64' | 'not-json' | 'not-object';

interface Field {
  /** Characters of the value, as clients see it. */
  readonly length: number;
  /** How many fields of the name there were. */
  readonly fields: number;
}

interface Unreadable extends Field {
  readonly state: 'unreadable';
  readonly fault: HeaderFault;
  /** What the value decodes to; null when it cannot be decoded. */
  readonly text: string | null;
}

interface Read extends Field {
  readonly state: 'read';
  readonly envelope: Envelope;
  /** The JSON text the envelope was read from. */
  readonly text: string;
  /** False when bytes that are no UTF-8 were replaced, as clients replace them. */
  readonly isUtf8: boolean;
}

/** What the PAYMENT-REQUIRED header holds. */
export type HeaderReading = { readonly state: 'absent' } | Unreadable | Read;

/**
 * Reads a PAYMENT-REQUIRED header the way the reference client does: several fields are joined, an empty one
 * counts as none, base64 must be of the standard alphabet, the text is UTF-8 JSON.
 * Source: x402 v2 HTTP transport; @x402/core 2.x, `decodePaymentRequiredHeader`.
 *
 * @param values the values of every field of that name
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

/** What the body of an answer holds. */
export type BodyReading =
  | { readonly state: 'absent' }
  /** Not JSON, JSON that is no object, or longer than is read. */
  | { readonly state: 'unreadable'; readonly fault: BodyFault }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly json: unknown };

/**
 * Reads a body as a JSON object, whatever its declared type, as the reference clients do.
 *
 * @param isTruncated true when the body was longer than what is given of it
 */
export function readBody(body: string | null, isTruncated = false): BodyReading {
  if (body === null || body.trim() === '') return { state: 'absent' };
  if (isTruncated || body.length > MAX_BODY_LENGTH) return { state: 'unreadable', fault: 'too-long' };
  // A byte order mark is dropped where bytes become text, which saved answers may not have seen.
  const json = parseJson(body.startsWith('\ufeff') ? body.slice(1) : body);
  if (json === undefined) return { state: 'unreadable', fault: 'not-json' };
  const envelope = parseEnvelope(json);
  return envelope === null ? { state: 'unreadable', fault: 'not-object' } : { state: 'read', envelope, json };
}

/** By hand, as a regular expression for the end of a text looks at every run of blanks before it. */
function trimField(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && HTTP_SPACE.includes(value.charAt(start))) start += 1;
  while (end > start && HTTP_SPACE.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function decodeBase64(value: string): Pick<Read, 'text' | 'isUtf8'> | null {
  // A length of one more than a multiple of four passes the pattern and still decodes to nothing.
  if (!STANDARD_BASE64.test(value) || value.replace(/=+$/, '').length % 4 === 1) return null;
  try {
    const binary = atob(value);
    if (ASCII.test(binary)) return { text: binary, isUtf8: true };
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return decodeUtf8(bytes);
  } catch {
    // Padding in the wrong amount: the pattern lets it through, the decoder does not.
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

/** Undefined, which is no JSON value, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
