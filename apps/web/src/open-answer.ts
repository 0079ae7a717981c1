import { problemResponse, type Problem } from './problem.ts';

/**
 * Answers of the API to whoever asks, pages of other origins included: no cookie is ever read, so there is nothing
 * that a foreign page could misuse.
 */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After',
};

/** JSON that may be kept for `maxAgeSeconds`, by anybody. */
export function openJson(body: unknown, maxAgeSeconds: number): Response {
  const cacheControl = maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-store';
  return Response.json(body, { headers: { ...OPEN, 'cache-control': cacheControl } });
}

/** A problem as RFC 9457 has it. */
export function openProblem(problem: Problem): Response {
  return problemResponse(problem, OPEN);
}

/** The answer to a browser that asks whether it may ask. */
export function preflight(methods: readonly string[]): Response {
  const allowed = methods.join(', ');
  return new Response(null, {
    status: 204,
    headers: {
      ...OPEN,
      allow: allowed,
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': 'Content-Type, PAYMENT-SIGNATURE',
      'access-control-max-age': '86400',
    },
  });
}
