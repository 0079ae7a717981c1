import { freeLimiter, getQueueClient } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { getWatchContext } from '../../../../operations/watch-context.ts';
import { openQueuedStore } from '../../../../interactive/trpc/queued-store.ts';
import { respondToCall } from '../../../../interactive/trpc/respond-to-call.ts';

export const dynamic = 'force-dynamic';

/**
 * Responds to a call of a tRPC procedure. Any origin may read the response: the data is public, or the caller sent the
 * secret of its watch. The service uses no cookies.
 */
const respond = (request: Request): Promise<Response> =>
  respondToCall(request, {
    store: openQueuedStore({ client: getQueueClient(request), signal: request.signal }),
    openWatches: getWatchContext,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond, POST: respond },
  { limiter: freeLimiter },
);
