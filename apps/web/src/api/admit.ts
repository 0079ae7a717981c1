import { DOCUMENT_PATHS, findOperation } from '@touchstone/contract';
import { preflight } from './preflight.ts';
import { formatAllow, formatMethodHint, refuseRequest } from './route.ts';

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
    return refuseRequest(request, [
      'invalid-request',
      'The path is not valid percent-encoded UTF-8. Write each literal % as %25.',
    ]);
  }
  if (KNOWN.has(request.method)) return null;
  const methods = (['GET', 'POST'] as const).filter(
    (method) =>
      findOperation(method, pathname) !== null || (method === 'GET' && DOCUMENTS.includes(pathname)),
  );
  if (methods.length === 0) {
    return refuseRequest(request, [
      'unknown-resource',
      'The API has no operation at this path. See /docs, or /openapi.json for programs.',
    ]);
  }
  const allow = formatAllow(methods);
  return refuseRequest(request, ['method-not-allowed', formatMethodHint(methods)], { allow });
}

/**
 * Refuses what is no way to ask for a page; Next would show it whatever the method.
 *
 * @returns null for a reader
 */
export function admitReader(request: Request): Response | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const allow = formatAllow(['GET']);
  if (request.method === 'OPTIONS') return preflight(request, allow);
  return refuseRequest(request, ['method-not-allowed', formatMethodHint(['GET'])], { allow });
}

function decodes(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
