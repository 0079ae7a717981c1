import { DOCUMENT_PATHS, findOperation, SERVER_CARD_PATHS } from '@touchstone/contract';
import { respondToPreflight } from './responses.ts';
import { formatAllow, formatMethodHint, refuseRequest, refuseUnknownPath } from './route.ts';

/** Methods that Next passes to a route. For any other method, Next itself sends a response without a body. */
const ROUTED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Paths of documents for crawlers. These documents are not operations of the API. */
const DOCUMENTS: readonly string[] = [DOCUMENT_PATHS.llms, DOCUMENT_PATHS.wellKnown, ...SERVER_CARD_PATHS];

/**
 * Refuses requests that Next would not pass to a route: requests with an unknown method, and requests whose path has
 * invalid percent-encoding.
 *
 * @returns The error response; null if Next passes the request to its route.
 */
export function refuseUnroutable(request: Request): Response | null {
  const { pathname } = new URL(request.url);
  if (!isDecodable(pathname)) {
    return refuseRequest(request, [
      'invalid-request',
      'The path is not valid percent-encoded UTF-8. Write each literal % as %25.',
    ]);
  }
  if (ROUTED_METHODS.has(request.method)) return null;
  const methods = (['GET', 'POST', 'PATCH', 'DELETE'] as const).filter(
    (method) =>
      findOperation(method, pathname) !== null || (method === 'GET' && DOCUMENTS.includes(pathname)),
  );
  if (methods.length === 0) return refuseUnknownPath(request);
  const allow = formatAllow(methods);
  return refuseRequest(request, ['method-not-allowed', formatMethodHint(methods)], { allow });
}

/**
 * Refuses a request for a page if its method is not supported, because Next would render the page for any method.
 *
 * @param methods Supported methods. GET includes HEAD. A page with a form also supports POST.
 * @returns The response to the refused method; null for a supported method.
 */
export function refuseUnlessRead(
  request: Request,
  methods: readonly ('GET' | 'POST')[] = ['GET'],
): Response | null {
  if (request.method === 'HEAD' || methods.some((method) => method === request.method)) return null;
  const allow = formatAllow(methods);
  if (request.method === 'OPTIONS') return respondToPreflight(request, allow);
  return refuseRequest(request, ['method-not-allowed', formatMethodHint(methods)], { allow });
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
