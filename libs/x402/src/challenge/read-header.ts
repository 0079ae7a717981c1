import { parseEnvelope, type Envelope } from './envelope.ts';

/** Maximum length of a PAYMENT-REQUIRED value, in characters. No client accepts more; a longer value is not decoded. */
export const MAX_HEADER_LENGTH = 65_536;
/** Maximum length of a body read as an envelope, in UTF-16 units; as much as a probe keeps. */
export const MAX_BODY_LENGTH = 262_144;

/** Pattern the reference client tests before it decodes. Source: @x402/core 2.x, `Base64EncodedRegex`. */
const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Text whose bytes are the same in ASCII and in UTF-8. */
const ASCII = /^[\x00-\x7f]*$/;
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const LENIENT_UTF8 = new TextDecoder();
/** White space that HTTP allows around a field value. Other white space is part of the value. Source: RFC 9110, 5.5. */
const HTTP_SPACE = ' \t\r\n';

export type HeaderFault = 'too-long' | 'not-base64' | 'not-json' | 'not-object';

interface Field {
  /** Length of the joined value, in characters. */
  readonly length: number;
  /** Number of header fields with this name. */
  readonly fields: number;
}

interface Unreadable extends Field {
  readonly state: 'unreadable';
  readonly fault: HeaderFault;
  /** Decoded value; null when it cannot be decoded. */
  readonly text: string | null;
}

interface Read extends Field {
  readonly state: 'read';
  readonly envelope: Envelope;
  /** The JSON text the envelope was read from. */
  readonly text: string;
  /** False when bytes that are not UTF-8 were replaced, as clients replace them. */
  readonly isUtf8: boolean;
}

/** Result of reading the PAYMENT-REQUIRED header. */
export type HeaderReading = { readonly state: 'absent' } | Unreadable | Read;

/**
 * Reads a PAYMENT-REQUIRED header as the reference client does. Several fields are joined, and an empty value counts
 * as absent. The value is base64 of the standard alphabet, and the decoded text is UTF-8 JSON.
 * Source: x402 v2 HTTP transport; @x402/core 2.x, `decodePaymentRequiredHeader`.
 *
 * @param values one value for each header field with that name
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
  /** Not JSON, JSON other than an object, or longer than the limit. */
  | { readonly state: 'unreadable'; readonly fault: BodyFault }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly json: unknown };

/**
 * Reads a body as a JSON object. Like the reference clients, it ignores the declared content type.
 *
 * @param isTruncated true when `body` is only the beginning of the body
 */
export function readBody(body: string | null, isTruncated = false): BodyReading {
  if (body === null || body.trim() === '') return { state: 'absent' };
  if (isTruncated || body.length > MAX_BODY_LENGTH) return { state: 'unreadable', fault: 'too-long' };
  // Decoding bytes to text drops the byte order mark; saved responses may still contain it.
  const json = parseJson(body.startsWith('\ufeff') ? body.slice(1) : body);
  if (json === undefined) return { state: 'unreadable', fault: 'not-json' };
  const envelope = parseEnvelope(json);
  return envelope === null ? { state: 'unreadable', fault: 'not-object' } : { state: 'read', envelope, json };
}

/** Written as a loop: a regular expression anchored at the end would scan every earlier run of spaces. */
function trimField(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && HTTP_SPACE.includes(value.charAt(start))) start += 1;
  while (end > start && HTTP_SPACE.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function decodeBase64(value: string): Pick<Read, 'text' | 'isUtf8'> | null {
  // A length of one more than a multiple of four passes the pattern and still cannot be decoded.
  if (!STANDARD_BASE64.test(value) || value.replace(/=+$/, '').length % 4 === 1) return null;
  try {
    const binary = atob(value);
    if (ASCII.test(binary)) return { text: binary, isUtf8: true };
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return decodeUtf8(bytes);
  } catch {
    // Wrong amount of padding: the pattern accepts it, the decoder does not.
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

/** Returns undefined, which is not a JSON value, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
