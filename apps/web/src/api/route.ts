import { problemOf, type Problem, type ProblemCode } from '@touchstone/contract';
import { OPEN_HEADERS, problemAnswer } from './answers.ts';
import { pathOf } from './path-of.ts';
import { preflight } from './preflight.ts';
import type { Limiter } from './rate-limit.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

export type ApiHandler = (request: Request) => Response | Promise<Response>;

export interface RouteOptions {
  /** Bounds how often one client may ask; without it nobody is bounded. */
  readonly limiter?: Limiter;
  /** Whether something is sold here, so that an error says that nothing was charged. */
  readonly paid?: boolean;
}

type RouteExports = Readonly<Record<Method | 'HEAD' | 'OPTIONS', ApiHandler>>;

/**
 * The handlers of one path of the API. It answers every method: those given, `HEAD` as `GET` without its body,
 * `OPTIONS` to browsers that ask whether they may ask, and all others with what is allowed. Every answer is open to
 * pages of any origin, every error is a problem that names the path, and what fails inside is told to the operator in
 * one line and to nobody else.
 *
 * @example export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: answer });
 */
export function route(
  handlers: Readonly<Partial<Record<Method, ApiHandler>>>,
  options: RouteOptions = {},
): RouteExports {
  const known = METHODS.filter((method) => handlers[method] !== undefined);
  const allowed = allowedMethods(known);
  const charged = options.paid === true ? ({ notCharged: true } as const) : {};
  const refuse = (request: Request) =>
    problemAnswer(
      problemOf('method-not-allowed', `This path knows ${allowed} alone.`, {
        instance: pathOf(request.url),
        ...charged,
      }),
      { allow: allowed },
    );
  const serving = METHODS.map((method): readonly [Method, ApiHandler] => {
    const handler = handlers[method];
    return [method, open(handler === undefined ? refuse : guard(handler, options))];
  });
  // Every method of the table is among the entries it is made from.
  const served = Object.fromEntries(serving) as Record<Method, ApiHandler>;
  return { ...served, HEAD: served.GET, OPTIONS: (request) => preflight(request, allowed) };
}

/** What `Allow` lists for the methods that a path has handlers for. */
export function allowedMethods(known: readonly string[]): string {
  return [...known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  );
}

/** A refusal or a failure on a path of the API, as a problem that any origin may read. */
export function refusal(
  request: Request,
  [code, detail]: readonly [ProblemCode, string],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = problemOf(code, detail, { instance: pathOf(request.url) });
  return problemAnswer(problem, { ...OPEN_HEADERS, ...headers });
}

function guard(handler: ApiHandler, { limiter, paid = false }: RouteOptions): ApiHandler {
  return async (request) => {
    const path = pathOf(request.url);
    try {
      const answer = () => Promise.resolve(handler(request));
      const response = limiter === undefined ? await answer() : await limiter(request, answer);
      // An earlier request may have settled the payment that this one carries.
      const unsold = paid && !request.headers.has('payment-signature');
      return await complete(response, { path, unsold });
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${JSON.stringify({ failed: `${request.method} ${path}`, said })}\n`);
      return problemAnswer(
        problemOf('internal', 'This could not be answered. Try again in a minute.', { instance: path }),
      );
    }
  };
}

/** An error names its path, and that of a refusal before anything was sold says so. */
async function complete(
  response: Response,
  { path, unsold }: { readonly path: string; readonly unsold: boolean },
): Promise<Response> {
  if (response.headers.get('content-type') !== 'application/problem+json') return response;
  // Only this service writes such answers here, all of them from the contract's type.
  const problem = (await response.json()) as Problem;
  const uncharged = unsold && problem.code === 'rate-limited' ? ({ notCharged: true } as const) : {};
  return new Response(JSON.stringify({ ...problem, instance: path, ...uncharged }), response);
}

function open(handler: ApiHandler): ApiHandler {
  return async (request) => {
    const response = await handler(request);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(OPEN_HEADERS)) headers.set(name, value);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  };
}
