import {
  createProblem,
  findUnknownParameters,
  type Operation,
  type Problem,
  type ProblemCode,
} from '@touchstone/contract';
import { getRequestPath } from './read-request.ts';
import { respondToPreflight, CORS_HEADERS, createProblemResponse } from './responses.ts';
import { logError, withRequestId } from '../platform/request-log.ts';
import type { Limiter } from './rate-limit/create-limiter.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

export type ApiHandler = (request: Request) => Response | Promise<Response>;

export interface RouteOptions {
  /** Rate limiter of the path. Without a limiter, the path is not limited. */
  readonly limiter?: Limiter;
  /** Adds members to every error of the path. Paid paths add `notCharged`. */
  readonly completeProblem?: (problem: Problem, request: Request) => Problem;
}

/** Handlers of one path by method, in the form that Next expects as exports of a route file. */
export type RouteExports = Readonly<Record<Method | 'HEAD' | 'OPTIONS', ApiHandler>>;

/**
 * Creates the handlers of one path of the API. `HEAD` responds like `GET` without a body, `OPTIONS` responds to CORS
 * preflights, and a method without a handler gets 405. Every response allows any origin. Every error is a problem
 * document that names the path. The cause of an internal error is logged in one line and not sent. Responses that no
 * cache may store have `X-Request-Id`, and all lines in the log about the request contain this id.
 *
 * @example export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: handler });
 */
export function route(
  handlers: Readonly<Partial<Record<Method, ApiHandler>>>,
  options: RouteOptions = {},
): RouteExports {
  const supported = METHODS.filter((method) => handlers[method] !== undefined);
  const refuse: ApiHandler = (request) => {
    const problem = createProblem('method-not-allowed', formatMethodHint(supported));
    return createProblemResponse(completeProblem(problem, request, options), {
      allow: formatAllow(supported),
    });
  };
  const entries = METHODS.map((method): readonly [Method, ApiHandler] => {
    const handler = handlers[method];
    return [method, withCommonHeaders(handler === undefined ? refuse : handleErrors(handler, options))];
  });
  // `entries` has an element for every method, so the cast is safe.
  const exported = Object.fromEntries(entries) as Record<Method, ApiHandler>;
  return {
    ...exported,
    HEAD: exported.GET,
    OPTIONS: (request) => respondToPreflight(request, formatAllow(supported)),
  };
}

/** Returns a handler that refuses requests with query parameters that its operation does not have. */
export function refuseUnknownParameters(
  operation: Pick<Operation, 'parameters' | 'requestBody'>,
  handler: ApiHandler,
): ApiHandler {
  return (request) => {
    const problem = findUnknownParameters(operation, request.url);
    return problem === null ? handler(request) : createProblemResponse(problem);
  };
}

/** Returns the value of the `Allow` header for a path with handlers for the given methods. */
export function formatAllow(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  );
}

/** Returns the text of a 405 response. @example "Method not allowed. Use GET, PATCH or DELETE." */
export function formatMethodHint(methods: readonly string[]): string {
  const list = methods.join(', ').replace(/, (\w+)$/, ' or $1');
  return `Method not allowed. Use ${list}.`;
}

/**
 * Creates an error response for a request that reaches no route. The response names the path, and has the CORS headers and
 * the id of the request.
 */
export function refuseRequest(
  request: Request,
  [code, detail]: readonly [ProblemCode, string],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = createProblem(code, detail, { instance: getRequestPath(request.url) });
  return withRequestId(getReceivedId(request), (requestId) =>
    createProblemResponse(problem, { ...CORS_HEADERS, ...headers, 'x-request-id': requestId }),
  );
}

/** Refuses a request whose path has no operation. */
export function refuseUnknownPath(request: Request): Response {
  return refuseRequest(request, [
    'unknown-resource',
    'The API has no operation at this path. See /docs, or /openapi.json for programs.',
  ]);
}

function handleErrors(handler: ApiHandler, options: RouteOptions): ApiHandler {
  const { limiter } = options;
  return async (request) => {
    try {
      const respond = () => Promise.resolve(handler(request));
      const response = limiter === undefined ? await respond() : await limiter(request, respond);
      return await completeErrorResponse(response, request, options);
    } catch (error) {
      logError({ failed: `${request.method} ${getRequestPath(request.url)}` }, error);
      const problem = createProblem(
        'internal',
        'The service failed to process this request. Send it again in a minute.',
      );
      return createProblemResponse(completeProblem(problem, request, options));
    }
  };
}

/** Adds the missing members to the body of an error response. Other responses are returned unchanged. */
async function completeErrorResponse(
  response: Response,
  request: Request,
  options: RouteOptions,
): Promise<Response> {
  if (response.headers.get('content-type') !== 'application/problem+json') return response;
  // Every response with this content type was created by this service from a `Problem`, so the cast is safe.
  const problem = (await response.json()) as Problem;
  return new Response(JSON.stringify(completeProblem(problem, request, options)), response);
}

/** Adds the request path to a problem, and then the members that `options.completeProblem` adds. */
function completeProblem(problem: Problem, request: Request, options: RouteOptions): Problem {
  const located = { ...problem, instance: getRequestPath(request.url) };
  return options.completeProblem?.(located, request) ?? located;
}

function withCommonHeaders(handler: ApiHandler): ApiHandler {
  return (request) =>
    withRequestId(getReceivedId(request), async (requestId) => {
      const response = await handler(request);
      const headers = new Headers(response.headers);
      for (const [name, value] of Object.entries(CORS_HEADERS)) headers.set(name, value);
      const { status, statusText } = response;
      if (canCarryRequestId(response)) headers.set('x-request-id', requestId);
      return new Response(response.body, { status, statusText, headers });
    });
}

const getReceivedId = (request: Request): string => request.headers.get('x-request-id') ?? '';

/**
 * Returns true if the response may have `X-Request-Id`. A response that a cache may store has no id: the cache would send
 * the id of the first request to later clients. A payment challenge (402) has no id, because its headers have nearly the
 * maximum size that nginx accepts by default.
 */
function canCarryRequestId({ status, headers }: Response): boolean {
  return /\bno-store\b/.test(headers.get('cache-control') ?? '') && status !== 402;
}

/** Handlers of all API paths that match no other route. */
export const unknownPathRoute = route({
  GET: refuseUnknownPath,
  POST: refuseUnknownPath,
  PUT: refuseUnknownPath,
  PATCH: refuseUnknownPath,
  DELETE: refuseUnknownPath,
});
