import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { RANKING_MAX_AGE_SECONDS } from '../api/cache-times.ts';
import { appRouter } from './app-router.ts';
import type { TrpcContext } from './trpc.ts';

/** Path of the procedures, without the name of a procedure. */
const TRPC_PATH = '/api/trpc';

/**
 * Responds to a GET or HEAD request that calls a procedure. Batches are refused, because a batch of any size would
 * count as one request for the rate limit.
 */
export async function respondToCall(request: Request, context: TrpcContext): Promise<Response> {
  const response = await fetchRequestHandler({
    endpoint: TRPC_PATH,
    // tRPC responds to HEAD with 204. HEAD must have the status and headers of GET (RFC 9110, section 9.3.2).
    req: new Request(request.url, { headers: request.headers, signal: request.signal }),
    router: appRouter,
    createContext: () => context,
    allowBatching: false,
    onError: ({ error, path }) => {
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      process.stderr.write(
        `${JSON.stringify({ failed: `${TRPC_PATH}/${path ?? ''}`, cause: error.message })}\n`,
      );
    },
    responseMeta: ({ errors }) => ({
      headers: new Headers({
        'cache-control': errors.length === 0 ? `public, max-age=${RANKING_MAX_AGE_SECONDS}` : 'no-store',
      }),
    }),
  });
  // tRPC sends some errors as text/plain, although their body is JSON.
  response.headers.set('content-type', 'application/json');
  return response;
}
