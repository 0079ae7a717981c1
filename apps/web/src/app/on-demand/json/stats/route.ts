import { toStats } from '@touchstone/pipeline';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { loadEcosystem } from '../../../../page-cache/page-data.ts';

export const dynamic = 'force-dynamic';

const MINUTE_SECONDS = 60;

/** The ecosystem in numbers for programs, made from the row that its page is made from. */
const answer = async (): Promise<Response> =>
  createJsonResponse(toStats(await loadEcosystem(), { generatedAt: Date.now() }), MINUTE_SECONDS);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: answer },
  { limiter: freeLimiter },
);
