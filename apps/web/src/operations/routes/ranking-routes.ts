import { leaderboardOperation } from '@touchstone/contract/operations/leaderboard/operation';
import { statsOperation } from '@touchstone/contract/operations/stats/operation';
import { toLeaderboard, toStats } from '@touchstone/pipeline/reports/public-responses';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { loadEcosystem, loadLeaderboard } from '../../serving/page-cache/page-data.ts';
import { RANKING_MAX_AGE_SECONDS, createJsonResponse } from '../../api/responses.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';

/** Responds with the leaderboard as JSON. The HTML page of the leaderboard shows the same data. */
async function respondWithLeaderboard(request: Request): Promise<Response> {
  const options = { generatedAt: Date.now(), baseUrl: getSiteOrigin(process.env) };
  return createRankingResponse(request, toLeaderboard(await loadLeaderboard(), options));
}

/** Responds with the statistics as JSON. The HTML page of the statistics shows the same data. */
async function respondWithStats(request: Request): Promise<Response> {
  return createRankingResponse(request, toStats(await loadEcosystem(), { generatedAt: Date.now() }));
}

/**
 * Creates a JSON response. Public caches may store the JSON only if its URL has no other format, because some caches
 * ignore `Vary` and would send the JSON to browsers.
 */
function createRankingResponse({ url }: Request, body: unknown): Response {
  const response = createJsonResponse(body, RANKING_MAX_AGE_SECONDS);
  if (!getRequestPath(url).endsWith('.json'))
    response.headers.set('cache-control', `private, max-age=${RANKING_MAX_AGE_SECONDS}`);
  return response;
}

/** Handlers of the leaderboard JSON. */
export const leaderboardRoute = route(
  { GET: refuseUnknownParameters(leaderboardOperation, respondWithLeaderboard) },
  { limiter: freeLimiter },
);

/** Handlers of the statistics JSON. */
export const statsRoute = route(
  { GET: refuseUnknownParameters(statsOperation, respondWithStats) },
  { limiter: freeLimiter },
);
