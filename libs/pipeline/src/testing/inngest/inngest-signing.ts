import { createHmac } from 'node:crypto';

/**
 * Returns canonical JSON with sorted keys and no spaces. For the values that occur in requests, the result follows RFC
 * 8785.
 */
function canonicalizeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalizeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalizeJson(member)}`);
  return `{${members.join(',')}}`;
}

/**
 * Returns the Inngest signature of a request or response: HMAC-SHA256 over the canonical body and the time.
 * @param body the object of a request, or the received text of a response
 * @param seconds time of the signature, in seconds since the epoch
 */
export function sign(body: unknown, signingKey: string, seconds: number): string {
  const text = typeof body === 'string' ? body : canonicalizeJson(body);
  const key = signingKey.replace(/^signkey-\w+-/, '');
  return `t=${seconds}&s=${createHmac('sha256', key).update(`${text}${seconds}`).digest('hex')}`;
}
