import { DOCUMENT_PATHS, operationAt } from '@touchstone/contract';
import { preflight } from './preflight.ts';
import { allowedMethods, refusal } from './route.ts';

/** The methods that reach a route; Next answers every other one itself, without a word. */
const KNOWN = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Documents for crawlers, which are no operations of the API. */
const DOCUMENTS: readonly string[] = [DOCUMENT_PATHS.llms, DOCUMENT_PATHS.wellKnown];

/**
 * Refuses what would never come to the route that could refuse it: methods that nobody has heard of, and paths whose
 * percent-encoding does not decode.
 *
 * @returns null for what the route of the path answers
 */
export function admit(request: Request): Response | null {
  const { pathname } = new URL(request.url);
  if (!decodes(pathname)) {
    return refusal(request, [
      'invalid-request',
      'The path is not percent-encoded as UTF-8. Write each % as %25, or encode the text it belongs to.',
    ]);
  }
  if (KNOWN.has(request.method)) return null;
  const methods = (['GET', 'POST'] as const).filter(
    (method) => operationAt(method, pathname) !== null || (method === 'GET' && DOCUMENTS.includes(pathname)),
  );
  if (methods.length === 0) {
    return refusal(request, ['unknown-resource', 'Nothing is served at this path. See /openapi.json.']);
  }
  const allow = allowedMethods(methods);
  return refusal(request, ['method-not-allowed', `This path knows ${allow} alone.`], { allow });
}

/**
 * Refuses what is no way to ask for a page; Next would show it whatever the method.
 *
 * @returns null for a reader
 */
export function admitReader(request: Request): Response | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const allow = allowedMethods(['GET']);
  if (request.method === 'OPTIONS') return preflight(request, allow);
  return refusal(request, ['method-not-allowed', 'A page can be read and nothing else.'], { allow });
}

function decodes(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
