import { toStats } from '@touchstone/pipeline';
import { RANKING_MAX_AGE_SECONDS } from '../../../../api/cache-times.ts';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { loadEcosystem } from '../../../../page-cache/page-data.ts';

export const dynamic = 'force-dynamic';

/** Responds with the statistics as JSON. The HTML page of the statistics shows the same data. */
const respond = async (): Promise<Response> =>
  createJsonResponse(toStats(await loadEcosystem(), { generatedAt: Date.now() }), RANKING_MAX_AGE_SECONDS);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond },
  { limiter: freeLimiter },
);
