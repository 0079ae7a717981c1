import { toLeaderboard, toStats } from '@touchstone/pipeline/reports/public-responses';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { loadEcosystem, loadLeaderboard } from '../../serving/page-cache/page-data.ts';
import { RANKING_MAX_AGE_SECONDS, createJsonResponse } from '../../api/responses.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { route } from '../../api/route.ts';

/** Responds with the leaderboard as JSON. The HTML page of the leaderboard shows the same data. */
async function respondWithLeaderboard(): Promise<Response> {
  const options = { generatedAt: Date.now(), baseUrl: getSiteOrigin(process.env) };
  return createJsonResponse(toLeaderboard(await loadLeaderboard(), options), RANKING_MAX_AGE_SECONDS);
}

/** Responds with the statistics as JSON. The HTML page of the statistics shows the same data. */
const respondWithStats = async (): Promise<Response> =>
  createJsonResponse(toStats(await loadEcosystem(), { generatedAt: Date.now() }), RANKING_MAX_AGE_SECONDS);

/** Handlers of the leaderboard JSON. */
export const leaderboardRoute = route({ GET: respondWithLeaderboard }, { limiter: freeLimiter });

/** Handlers of the statistics JSON. */
export const statsRoute = route({ GET: respondWithStats }, { limiter: freeLimiter });
