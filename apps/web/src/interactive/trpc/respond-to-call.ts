import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';
import { createProblem, MAX_BODY_BYTES } from '@touchstone/contract';
import type { WatchContext } from '@touchstone/pipeline';
import type { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { readBearerToken } from '../../api/read-request.ts';
import { RANKING_MAX_AGE_SECONDS, createProblemResponse } from '../../api/responses.ts';
import { getQueueClient } from '../../api/rate-limit/limiters.ts';
import { logError } from '../../platform/request-log.ts';
import { appRouter } from './app-router.ts';
import { ProblemCause, type TrpcContext } from './trpc.ts';

/** Path of the procedures, without the name of a procedure. */
const TRPC_PATH = '/api/trpc';

interface CallOptions extends Pick<TrpcContext, 'store'> {
  readonly openWatches: () => WatchContext;
}

/**
 * Responds to a GET, HEAD or POST request that calls a procedure. Batches are refused, because a batch of any size would
 * count as one request for the rate limit. Only a successful response to GET may be stored in caches.
 */
export async function respondToCall(
  request: Request,
  { store, openWatches }: CallOptions,
): Promise<Response> {
  const isPost = request.method === 'POST';
  const call = isPost ? await copyWithBody(request) : copyAsGet(request);
  if (call === null) {
    return createProblemResponse(createProblem('body-too-large', 'The request body is larger than 64 KiB.'));
  }
  const secret = readBearerToken(request.headers.get('authorization'));
  const owner = { secret, openWatches, readClient: () => getQueueClient(request) };
  const response = await fetchRequestHandler({
    endpoint: TRPC_PATH,
    req: call,
    router: appRouter,
    createContext: () => (isPost ? { store, owner } : { store }),
    allowBatching: false,
    // Queries in POST requests are allowed, because the input of a POST request is not in the URL.
    allowMethodOverride: true,
    onError: logInternalError,
    responseMeta: ({ errors }) => ({ headers: createHeaders(errors, isPost) }),
  });
  // tRPC sends some errors as text/plain, although their body is JSON.
  response.headers.set('content-type', 'application/json');
  return response;
}

/**
 * Copies a HEAD request as a GET request, because tRPC responds to HEAD with 204. HEAD must have the status and headers
 * of GET (RFC 9110, section 9.3.2).
 */
function copyAsGet({ url, headers, signal }: Request): Request {
  return new Request(url, { headers, signal });
}

/** Copies a request with its body. Returns null if the body exceeds its maximum length. */
async function copyWithBody(request: Request): Promise<Request | null> {
  const { url, method, headers, signal } = request;
  try {
    const bytes = await readBoundedBytes(request.body, MAX_BODY_BYTES);
    return new Request(url, { method, headers, signal, body: Uint8Array.from(bytes) });
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
}

function logInternalError({ error, path }: { readonly error: TRPCError; readonly path: string | undefined }) {
  if (error.code !== 'INTERNAL_SERVER_ERROR') return;
  logError({ failed: `${TRPC_PATH}/${path ?? ''}` }, error);
}

function createHeaders(errors: readonly TRPCError[], isPost: boolean): Headers {
  const isStorable = errors.length === 0 && !isPost;
  const headers = new Headers({
    'cache-control': isStorable ? `public, max-age=${RANKING_MAX_AGE_SECONDS}` : 'no-store',
  });
  const [error] = errors;
  if (error?.code === 'UNAUTHORIZED') headers.set('www-authenticate', 'Bearer');
  if (error?.cause instanceof ProblemCause && error.cause.retryAfterSeconds !== undefined)
    headers.set('retry-after', String(error.cause.retryAfterSeconds));
  return headers;
}
