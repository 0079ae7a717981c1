import { type BodyEnd, MAX_CONTENT_CODINGS, NODE_HEADER_LIMIT_BYTES, parseJson } from '@touchstone/common';
import { parseEnvelope, type Envelope } from './envelope.ts';
import type { Dialect } from '../types.ts';
import { readMember } from '../json/untrusted-json.ts';

/**
 * Maximum length of a PAYMENT-REQUIRED value, in characters. Longer values are not decoded, because no client accepts
 * such a value.
 */
export const MAX_HEADER_LENGTH = 65_536;
/** Maximum length of a body that is parsed, in UTF-16 units; equal to the maximum body size of a probe. */
export const MAX_BODY_LENGTH = 262_144;

/**
 * Pattern that the reference client tests before it decodes a header value. Source: @x402/core 2.x,
 * `Base64EncodedRegex`.
 */
const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Pattern for text of ASCII characters only, which UTF-8 decoding does not change. */
const ASCII = /^[\x00-\x7f]*$/;
/** Beginning of a JSON object. */
const OBJECT_START = /^[ \t\r\n]*\{/;
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const LENIENT_UTF8 = new TextDecoder();
/** White space that HTTP allows around a field value. Other white space is part of the value. Source: RFC 9110, 5.5. */
const HTTP_SPACE = ' \t\r\n';

export type HeaderFault = 'too-long' | 'not-base64' | 'not-json' | 'not-object';

interface Field {
  /** Length of the header value in characters, after all fields are joined. */
  readonly length: number;
  /** Number of PAYMENT-REQUIRED fields in the response, before a proxy joined them. */
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
  const field: Field = { length: value.length, fields: countFields(value, values.length) };
  if (field.length > MAX_HEADER_LENGTH) return createUnreadable(field, 'too-long');
  const decoded = decodeBase64(value);
  if (decoded === null) return createUnreadable(field, 'not-base64');
  const json = parseJson(decoded.text);
  if (json === undefined) return createUnreadable(field, 'not-json', decoded.text);
  const envelope = parseEnvelope(json);
  return envelope === null
    ? createUnreadable(field, 'not-object', decoded.text)
    : { state: 'read', envelope, ...decoded, ...field };
}

/** Returns the number of base64 values that a seller or a proxy joined with commas; `sent` when this is no such list. */
function countFields(value: string, sent: number): number {
  const parts = value.split(',').map(trimField);
  return parts.every((part) => part !== '' && STANDARD_BASE64.test(part)) ? parts.length : sent;
}

function createUnreadable(field: Field, fault: HeaderFault, text: string | null = null): Unreadable {
  return { state: 'unreadable', fault, text, ...field };
}

/** Reason why a body is not read as a JSON object: not such a document, or not received to its end. */
type BodyFault = 'not-json' | 'not-object' | Exclude<BodyEnd, 'complete'>;

/** Result of reading the body of a response. */
export type BodyReading =
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly fault: BodyFault }
  | { readonly state: 'read'; readonly envelope: Envelope; readonly json: unknown; readonly text: string };

/**
 * Reads a body as a JSON object. Ignores the declared content type, as the reference clients do. Does not parse a body
 * that clients cannot read to its end, or that is longer than `MAX_BODY_LENGTH`.
 */
export function readBody(body: string | null, bodyEnd: BodyEnd = 'complete'): BodyReading {
  const isSizeLimited = bodyEnd === 'size-limit' || (body !== null && body.length > MAX_BODY_LENGTH);
  if (bodyEnd !== 'complete' && !isSizeLimited) return { state: 'unreadable', fault: bodyEnd };
  if (isSizeLimited && body === '') return { state: 'unreadable', fault: 'size-limit' };
  if (body === null || body.trim() === '') return { state: 'absent' };
  // Fetch removes a byte order mark when it decodes a body, but a saved response may still contain one.
  const text = body.startsWith('\ufeff') ? body.slice(1) : body;
  if (isSizeLimited)
    return { state: 'unreadable', fault: OBJECT_START.test(text) ? 'size-limit' : 'not-json' };
  const json = parseJson(text);
  if (json === undefined) return { state: 'unreadable', fault: 'not-json' };
  const envelope = parseEnvelope(json);
  return envelope === null
    ? { state: 'unreadable', fault: 'not-object' }
    : { state: 'read', envelope, json, text };
}

const BODY_FAULTS: Readonly<Record<BodyFault, string>> = {
  'not-json': 'The body is not a JSON object.',
  'not-object': 'The body is not a JSON object.',
  'size-limit': `The body has more than ${String(MAX_BODY_LENGTH / 1_024)} KiB, so this check did not read it to its end.`,
  'too-long':
    'The body is too long for this check to find its end; clients read it to its end before they sign a payment.',
  deadline:
    'The body had not ended when this check stopped reading; clients read it to its end before they sign a payment.',
  closed: 'The connection closed before the end of the body, so clients cannot read it.',
  undecodable: 'The encoding of the body is invalid, so clients cannot read it.',
};

/** Formats the reason why a body was not read as a JSON object. */
export function explainUnreadBody(fault: BodyFault): string {
  return BODY_FAULTS[fault];
}

/**
 * Returns true when this package did not read a body because of its size. Clients may find an envelope in this body, or
 * its end.
 */
export function isBodyUnknown(body: BodyReading): boolean {
  return body.state === 'unreadable' && (body.fault === 'size-limit' || body.fault === 'too-long');
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

interface Headers {
  readonly header: HeaderReading;
  /** Header values by lower-case header name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

/** Header names that sellers use instead of PAYMENT-REQUIRED. No client reads a header with such a name. */
const WRONG_NAMES = [
  'x-payment-required',
  'x-payment',
  'x-payment-requirements',
  'payment-requirements',
  'x402-payment-required',
];

/**
 * Returns the name of the header that a seller uses instead of PAYMENT-REQUIRED; undefined when there is no such header
 * or PAYMENT-REQUIRED is present.
 */
export function findMisnamedHeader({ header, headers }: Headers): string | undefined {
  if (header.state !== 'absent') return undefined;
  return WRONG_NAMES.find((name) => headers.get(name)?.some((value) => value.trim() !== ''));
}

/** Returns true when Node.js clients with default settings reject a response because of the size of its headers. */
export function exceedsNodeLimit(headerBytes: number): boolean {
  return headerBytes >= NODE_HEADER_LIMIT_BYTES;
}

/** Reason why clients reject a response with too many content codings. */
export const TOO_MANY_CODINGS = `Content-Encoding names more than ${String(MAX_CONTENT_CODINGS)} codings; Node.js clients reject the response.`;

/** Returns true when Node.js clients reject a response because of the number of its content codings. */
export function hasTooManyCodings(headers: Headers['headers']): boolean {
  return (headers.get('content-encoding') ?? []).join().split(',').length > MAX_CONTENT_CODINGS;
}

/** Formats the reason why clients reject a response with large headers. One kB is 1,000 bytes. */
export function explainHeaderSize(headerBytes: number): string {
  const size = (headerBytes / 1_000).toFixed(1);
  return `The response headers have ${size} kB in total; Node.js clients reject more than 16 kB.`;
}

/**
 * Patterns for the authentication schemes of other payment protocols in `WWW-Authenticate`. A scheme name is at the
 * start of the value or after a comma, and no `=` follows it (RFC 9110, 11.6.1).
 * Sources: MPP drafts; bLIP-0026 (L402) and its predecessor LSAT.
 */
const SCHEMES: readonly (readonly [scheme: RegExp, dialect: Dialect])[] = [
  [/(?:^|,)\s*payment(?:\s+[^\s=]|\s*(?:,|$))/i, 'mpp'],
  [/(?:^|,)\s*(?:l402|lsat)(?:\s+[^\s=]|\s*(?:,|$))/i, 'l402'],
  [/(?:^|,)\s*x402(?:\s+[^\s=]|\s*(?:,|$))/i, 'x402-authenticate'],
];

/** Beginning of the header names of a variant of x402. */
const DIALECT_PREFIX = 'x-402-';

/**
 * Names of the headers that this package reads, in addition to those that begin with `x-402-`. All other headers are
 * dropped before a response is judged, so no rule can depend on them.
 */
const READ_NAMES: ReadonlySet<string> = new Set([
  ...['payment-required', ...WRONG_NAMES],
  ...['content-type', 'content-encoding', 'cache-control', 'location', 'www-authenticate'],
  ...['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers'],
]);

/**
 * Maximum number of header fields kept per name. A response with two PAYMENT-REQUIRED fields is already faulty, so
 * further fields do not change the result.
 */
const MAX_FIELDS_PER_NAME = 32;

/**
 * Groups the values of the headers that this package reads by lower-case name. Keeps at most 32 values per name,
 * truncates very long values, and empties the quoted parameters in `WWW-Authenticate`, which often differ at each
 * request.
 */
export function selectHeaders(
  fields: readonly (readonly [name: string, value: string])[],
): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    if (!READ_NAMES.has(key) && !key.startsWith(DIALECT_PREFIX)) continue;
    const values = headers.get(key) ?? [];
    if (values.length === 0) headers.set(key, values);
    if (values.length >= MAX_FIELDS_PER_NAME) continue;
    const kept = value.slice(0, MAX_HEADER_LENGTH + 1);
    values.push(key === 'www-authenticate' ? kept.replace(QUOTED, '""') : kept);
  }
  return headers;
}

/**
 * Pattern of a quoted parameter value. A value without a closing quote extends to the end of the text, so matching
 * takes linear time.
 */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g;

/**
 * Returns the payment protocols other than x402 that a response uses, without duplicates.
 *
 * @param headers result of `selectHeaders`
 */
export function findDialects(headers: ReadonlyMap<string, readonly string[]>, body: BodyReading): Dialect[] {
  const challenges = headers.get('www-authenticate') ?? [];
  const dialects = SCHEMES.filter(([scheme]) => challenges.some((text) => scheme.test(text))).map(
    ([, dialect]) => dialect,
  );
  if ([...headers.keys()].some((name) => name.startsWith(DIALECT_PREFIX))) dialects.push('x-402-headers');
  const options = body.state === 'read' ? readMember(body.json, 'payment_options') : undefined;
  if (Array.isArray(options) && options.length > 0) dialects.push('payment-options-body');
  return dialects;
}
