import { createHash } from 'node:crypto';
import type { Problem } from '@touchstone/contract';

/**
 * What every answer of the API carries, so that pages of any origin may ask: no cookie is ever read, so there is
 * nothing that a foreign page could misuse.
 */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, Allow, ETag',
};

/** JSON that may be kept for `maxAgeSeconds`, by anybody. */
export function jsonAnswer(body: unknown, maxAgeSeconds: number): Response {
  return Response.json(body, { headers: { 'cache-control': cacheControl(maxAgeSeconds) } });
}

/** A problem as RFC 9457 has it. */
export function problemAnswer(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}

export interface Document {
  readonly text: string;
  /** As `Content-Type`. */
  readonly type: string;
  readonly maxAgeSeconds: number;
}

/**
 * A document that this service makes of its own tables. Whoever has it already is told so instead of getting it again.
 *
 * @param request its `If-None-Match` is compared weakly, as RFC 9110, section 13.1.2, has it
 */
export function documentAnswer(request: Request, { text, type, maxAgeSeconds }: Document): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { etag, 'cache-control': cacheControl(maxAgeSeconds) };
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  if (known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { headers: { ...headers, 'content-type': type } });
}

function cacheControl(maxAgeSeconds: number): string {
  return maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-store';
}
