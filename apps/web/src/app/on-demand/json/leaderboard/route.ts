import { toLeaderboard } from '@touchstone/pipeline';
import { RANKING_MAX_AGE_SECONDS } from '../../../../api/cache-times.ts';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { getSiteOrigin } from '../../../../config/config.ts';
import { loadLeaderboard } from '../../../../page-cache/page-data.ts';

export const dynamic = 'force-dynamic';

/** Responds with the leaderboard as JSON. The HTML page of the leaderboard shows the same data. */
async function respond(): Promise<Response> {
  const options = { generatedAt: Date.now(), baseUrl: getSiteOrigin(process.env) };
  return createJsonResponse(toLeaderboard(await loadLeaderboard(), options), RANKING_MAX_AGE_SECONDS);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond },
  { limiter: freeLimiter },
);
