import { createProblem } from '@touchstone/contract';
import { createJsonResponse, createProblemResponse } from '../../../api/responses.ts';
import { exceedsBodyLimit } from '../../../api/body-limit.ts';
import { freeLimiter } from '../../../api/rate-limit/limiters.ts';
import { route } from '../../../api/route.ts';
import { loadPreview } from '../../../operations/preview.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** Three complete reports, free of charge: the best-scored endpoint, the median and the worst-scored one. */
const answer = async (): Promise<Response> => createJsonResponse(await loadPreview(), FIVE_MINUTES_SECONDS);

/** The same; whatever the body says, there is nothing to choose. */
async function answerPost(request: Request): Promise<Response> {
  if (!(await exceedsBodyLimit(request))) return answer();
  return createProblemResponse(
    createProblem('body-too-large', 'The body is larger than 64 KiB; none is needed here.'),
  );
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  { GET: answer, POST: answerPost },
  { limiter: freeLimiter },
);
