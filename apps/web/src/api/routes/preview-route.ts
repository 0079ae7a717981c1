import { createProblem } from '@touchstone/contract';
import { loadPreview } from '../../operations/preview.ts';
import { exceedsBodyLimit } from '../body-limit.ts';
import { DOCUMENT_MAX_AGE_SECONDS } from '../cache-times.ts';
import { freeLimiter } from '../rate-limit/limiters.ts';
import { createJsonResponse, createProblemResponse } from '../responses.ts';
import { route } from '../route.ts';

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

/** Handlers of `/v1/x402-trust-preview`. */
export const previewRoute = route({ GET: respond, POST: respondToPost }, { limiter: freeLimiter });
