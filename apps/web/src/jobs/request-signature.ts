import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference between the time of a signature and the clock of this machine, in milliseconds, as in the SDK. */
const MAX_SIGNATURE_AGE_MS = 5 * 60_000;

/** Signature header of a request from Inngest. */
export interface RequestSignature {
  /** Time of the signature as it was sent, in seconds since the epoch. */
  readonly seconds: string;
  /** HMAC-SHA-256 of the body and the time. */
  readonly digest: Buffer;
}

/**
 * Parses the header `t=<seconds>&s=<HMAC-SHA-256 in hexadecimal>`.
 *
 * @returns null if the header has another form, or a time that is not close to the current time.
 */
export function parseCurrentSignature(header: string | null): RequestSignature | null {
  const parameters = new URLSearchParams(header ?? '');
  const seconds = parameters.get('t') ?? '';
  const digest = parameters.get('s') ?? '';
  if (!/^\d{1,12}$/.test(seconds) || !/^[\da-f]{64}$/.test(digest)) return null;
  if (Math.abs(Date.now() - Number(seconds) * 1000) > MAX_SIGNATURE_AGE_MS) return null;
  return { seconds, digest: Buffer.from(digest, 'hex') };
}

/**
 * Returns true if a signature belongs to a body. The time of this check is proportional to the length of the body: about
 * one millisecond per MiB.
 *
 * @param keys Accepted signing keys, with or without their prefix, such as `signkey-prod-`.
 */
export function matchesSignature(
  body: string | Uint8Array,
  { seconds, digest }: RequestSignature,
  keys: readonly string[],
): boolean {
  return keys.some((key) => {
    const hmac = createHmac('sha256', key.replace(/^signkey-\w+-/, ''));
    return timingSafeEqual(hmac.update(body).update(seconds).digest(), digest);
  });
}

/**
 * Returns the canonical form of a JSON text (RFC 8785): sorted members and no spaces. Its time is about 0.3 milliseconds
 * per KiB.
 *
 * @returns null if the text is not JSON, or is nested too deeply.
 */
export function canonicalizeJson(text: string): string | null {
  try {
    return formatCanonical(JSON.parse(text));
  } catch {
    return null;
  }
}

function formatCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${formatCanonical(member)}`);
  return `{${members.join(',')}}`;
}
