import { toLeaderboard } from '@touchstone/pipeline';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { getSiteOrigin } from '../../../../config/config.ts';
import { loadLeaderboard } from '../../../../page-cache/page-data.ts';

export const dynamic = 'force-dynamic';

const MINUTE_SECONDS = 60;

/** The leaderboard for programs, made from the rows that its page is made from. */
async function answer(): Promise<Response> {
  const made = { generatedAt: Date.now(), baseUrl: getSiteOrigin(process.env) };
  return createJsonResponse(toLeaderboard(await loadLeaderboard(), made), MINUTE_SECONDS);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: answer },
  { limiter: freeLimiter },
);
