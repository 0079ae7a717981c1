import { toStats } from '@touchstone/pipeline';
import { createJsonResponse } from '../../../../api/responses.ts';
import { freeLimiter } from '../../../../api/limits.ts';
import { route } from '../../../../api/route.ts';
import { ecosystem } from '../../../../data.ts';

export const dynamic = 'force-dynamic';

const MINUTE_SECONDS = 60;

/** The ecosystem in numbers for programs, made from the row that its page is made from. */
const answer = async (): Promise<Response> =>
  createJsonResponse(toStats(await ecosystem(), { generatedAt: Date.now() }), MINUTE_SECONDS);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: answer },
  { limiter: freeLimiter },
);
