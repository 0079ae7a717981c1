import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { checkInputSchema, checkOperation } from '@touchstone/contract/operations/check/operation';
import { readJson } from '@touchstone/payment';
import { checkLimiter, getQueueClient } from '../../api/rate-limit/limiters.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { addCode, runLiveCheck } from '../checks.ts';
import { toProblem } from '../to-work-result.ts';

/** Responds with the result of a live check. Caches must not store the response. */
async function respond(request: Request): Promise<Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = checkInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const { resource, method = null, stack } = parsed.data;
  const outcome = await runLiveCheck({ resource, method, client: getQueueClient(request) });
  if (outcome.kind === 'result') return createJsonResponse(addCode(outcome.body, stack), 0);
  const { retryAfterSeconds } = outcome;
  return createProblemResponse(
    toProblem(outcome),
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}

/** Handlers of `/v1/check`. */
export const checkRoute = route(
  { POST: refuseUnknownParameters(checkOperation, respond) },
  { limiter: checkLimiter },
);
