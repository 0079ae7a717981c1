import { toLeaderboard } from '@touchstone/pipeline';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/limits.ts';
import { route } from '../../../../api/route.ts';
import { siteOrigin } from '../../../../config.ts';
import { leaderboard } from '../../../../data.ts';

export const dynamic = 'force-dynamic';

const MINUTE_SECONDS = 60;

/** The leaderboard for programs, made from the rows that its page is made from. */
async function answer(): Promise<Response> {
  const made = { generatedAt: Date.now(), baseUrl: siteOrigin(process.env) };
  return createJsonResponse(toLeaderboard(await leaderboard(), made), MINUTE_SECONDS);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: answer },
  { limiter: freeLimiter },
);
