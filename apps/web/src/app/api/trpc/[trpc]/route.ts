import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { getPublicStore } from '../../../../database/public-store.ts';
import { respondToCall } from '../../../../trpc/respond-to-call.ts';

export const dynamic = 'force-dynamic';

/** Responds to a call of a tRPC procedure. Any origin may read the response, because it has only public data. */
const respond = (request: Request): Promise<Response> => respondToCall(request, { store: getPublicStore() });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond },
  { limiter: freeLimiter },
);
