import { toStats } from '@touchstone/pipeline';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/rate-limit/limiters.ts';
import { route } from '../../../../api/route.ts';
import { loadEcosystem } from '../../../../page-cache/page-data.ts';

export const dynamic = 'force-dynamic';

const MINUTE_SECONDS = 60;

/** Responds with the statistics as JSON, from the same data as the page. */
const respond = async (): Promise<Response> =>
  createJsonResponse(toStats(await loadEcosystem(), { generatedAt: Date.now() }), MINUTE_SECONDS);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond },
  { limiter: freeLimiter },
);
