import { createProblem } from '@touchstone/contract';
import { DOCUMENT_MAX_AGE_SECONDS } from '../../../api/cache-times.ts';
import { createJsonResponse, createProblemResponse } from '../../../api/responses.ts';
import { exceedsBodyLimit } from '../../../api/body-limit.ts';
import { freeLimiter } from '../../../api/rate-limit/limiters.ts';
import { route } from '../../../api/route.ts';
import { loadPreview } from '../../../operations/preview.ts';

export const dynamic = 'force-dynamic';

/** Responds with three complete sample reports: on the best, the median and the worst endpoint by score. */
const respond = async (): Promise<Response> =>
  createJsonResponse(await loadPreview(), DOCUMENT_MAX_AGE_SECONDS);

/** Responds to a POST request like to a GET request. The body is ignored, but it must not exceed the body limit. */
async function respondToPost(request: Request): Promise<Response> {
  if (!(await exceedsBodyLimit(request))) return respond();
  return createProblemResponse(
    createProblem('body-too-large', 'The body is larger than 64 KiB; none is needed here.'),
  );
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: respond, POST: respondToPost },
  { limiter: freeLimiter },
);
