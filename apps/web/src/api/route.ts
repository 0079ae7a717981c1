import { createProblem, type Problem, type ProblemCode } from '@touchstone/contract';
import { getRequestPath } from './request-path.ts';
import { respondToPreflight } from './preflight.ts';
import type { Limiter } from './rate-limit/create-limiter.ts';
import { CORS_HEADERS, createProblemResponse } from './responses.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

export type ApiHandler = (request: Request) => Response | Promise<Response>;

export interface RouteOptions {
  /** Rate limiter of the path; unlimited by default. */
  readonly limiter?: Limiter;
  /** Adds members to every error of the path, such as `notCharged` on a paid one. */
  readonly completeProblem?: (problem: Problem, request: Request) => Problem;
}

type RouteExports = Readonly<Record<Method | 'HEAD' | 'OPTIONS', ApiHandler>>;

/**
 * Creates the handlers of one path of the API. `HEAD` responds like `GET` without a body, `OPTIONS` responds to CORS
 * preflights, and every method without a handler gets 405. Every response allows any origin, and every error is a
 * problem that names the path. The details of an internal error are logged in one line and not sent.
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
    return [method, withCorsHeaders(handler === undefined ? refuse : handleErrors(handler, options))];
  });
  // The entries have every method.
  const exported = Object.fromEntries(entries) as Record<Method, ApiHandler>;
  return {
    ...exported,
    HEAD: exported.GET,
    OPTIONS: (request) => respondToPreflight(request, formatAllow(supported)),
  };
}

/** Returns the value of `Allow` for the methods that a path has handlers for. */
export function formatAllow(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  );
}

/** Returns the text of a 405 response. @example "Method not allowed. Use GET or POST." */
export function formatMethodHint(methods: readonly string[]): string {
  return `Method not allowed. Use ${methods.join(' or ')}.`;
}

/** Creates an error response outside a route, with the path and the CORS headers. */
export function refuseRequest(
  request: Request,
  [code, detail]: readonly [ProblemCode, string],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = createProblem(code, detail, { instance: getRequestPath(request.url) });
  return createProblemResponse(problem, { ...CORS_HEADERS, ...headers });
}

function handleErrors(handler: ApiHandler, options: RouteOptions): ApiHandler {
  const { limiter } = options;
  return async (request) => {
    try {
      const respond = () => Promise.resolve(handler(request));
      const response = limiter === undefined ? await respond() : await limiter(request, respond);
      return await completeErrorResponse(response, request, options);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      const failed = `${request.method} ${getRequestPath(request.url)}`;
      process.stderr.write(`${JSON.stringify({ failed, cause })}\n`);
      const problem = createProblem(
        'internal',
        'The service failed to process this request. Send it again in a minute.',
      );
      return createProblemResponse(completeProblem(problem, request, options));
    }
  };
}

/** Completes the body of an error response; other responses stay as they are. */
async function completeErrorResponse(
  response: Response,
  request: Request,
  options: RouteOptions,
): Promise<Response> {
  if (response.headers.get('content-type') !== 'application/problem+json') return response;
  // Only this service creates such responses here, all of them from the contract's type.
  const problem = (await response.json()) as Problem;
  return new Response(JSON.stringify(completeProblem(problem, request, options)), response);
}

/** Adds the path, and what the options add. */
function completeProblem(problem: Problem, request: Request, options: RouteOptions): Problem {
  const located = { ...problem, instance: getRequestPath(request.url) };
  return options.completeProblem?.(located, request) ?? located;
}

function withCorsHeaders(handler: ApiHandler): ApiHandler {
  return async (request) => {
    const response = await handler(request);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(CORS_HEADERS)) headers.set(name, value);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  };
}
