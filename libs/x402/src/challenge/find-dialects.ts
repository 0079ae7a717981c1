import { readMember } from '../json/read-member.ts';
import type { BodyReading } from './read-header.ts';
import type { Dialect } from '../types.ts';

/**
 * Challenges of `WWW-Authenticate` by their scheme: the first word of the field or after a comma, and no
 * parameter (RFC 9110, 11.6.1). Sources: MPP drafts; bLIP-0026 (L402) and its forerunner LSAT.
 */
const SCHEMES: readonly (readonly [scheme: RegExp, dialect: Dialect])[] = [
  [/(?:^|,)\s*payment(?:\s+[^\s=]|\s*(?:,|$))/i, 'mpp'],
  [/(?:^|,)\s*(?:l402|lsat)(?:\s+[^\s=]|\s*(?:,|$))/i, 'l402'],
  [/(?:^|,)\s*x402(?:\s+[^\s=]|\s*(?:,|$))/i, 'x402-authenticate'],
];

/** A quoted parameter; one that is never closed goes to the end, so that no text is looked at twice. */
const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/g;

/**
 * The ways to ask for payment other than x402 that an answer shows, each once.
 *
 * @param headers values by lower-case name
 * @param body as read
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
