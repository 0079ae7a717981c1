import { readMember } from '../json/read-member.ts';
import type { BodyReading } from './read-header.ts';
import type { Dialect } from '../types.ts';

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

/**
 * A quoted parameter value. Without a closing quote it extends to the end of the text, so matching takes linear time.
 */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g;

/**
 * Returns the payment protocols other than x402 that a response uses, without duplicates.
 *
 * @param headers header values by lower-case name
 */
export function findDialects(headers: ReadonlyMap<string, readonly string[]>, body: BodyReading): Dialect[] {
  const challenges = (headers.get('www-authenticate') ?? []).map((value) => value.replace(QUOTED, '""'));
  const dialects = SCHEMES.filter(([scheme]) => challenges.some((text) => scheme.test(text))).map(
    ([, dialect]) => dialect,
  );
  if ([...headers.keys()].some((name) => name.startsWith('x-402-'))) dialects.push('x-402-headers');
  const options = body.state === 'read' ? readMember(body.json, 'payment_options') : undefined;
  if (Array.isArray(options) && options.length > 0) dialects.push('payment-options-body');
  return dialects;
}
