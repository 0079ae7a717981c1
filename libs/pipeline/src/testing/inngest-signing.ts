import { createHmac } from 'node:crypto';

/** JSON with sorted keys and no spaces, as RFC 8785 has it for the values that requests carry. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/**
 * The signature of a request or an answer, as Inngest makes it: HMAC-SHA256 over the canonical body and the time.
 * @param body an object for requests, the text as it came for answers
 * @param seconds since the epoch
 */
export function sign(body: unknown, signingKey: string, seconds: number): string {
  const text = typeof body === 'string' ? body : canonical(body);
  const key = signingKey.replace(/^signkey-\w+-/, '');
  return `t=${seconds}&s=${createHmac('sha256', key).update(`${text}${seconds}`).digest('hex')}`;
}
