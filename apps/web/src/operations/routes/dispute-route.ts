import { createDisputeOperation } from '@touchstone/contract/operations/dispute/operation';
import { disputeInputSchema } from '@touchstone/contract/operations/dispute/schemas';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { readJson } from '@touchstone/payment';
import { createDispute } from '@touchstone/pipeline/disputes/create-dispute';
import { disputeLimiter } from '../../api/rate-limit/limiters.ts';
import { readBearerToken } from '../../api/read-request.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { getDisputeContext } from '../dispute-context.ts';
import { toProblem } from '../to-work-result.ts';

async function respond(request: Request): Promise<Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = disputeInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const secret = readBearerToken(request.headers.get('authorization'));
  const result = await createDispute(getDisputeContext(), parsed.data, secret);
  if (result.kind === 'result') return createJsonResponse(result.body, 0);
  const { code, retryAfterSeconds } = result;
  return createProblemResponse(toProblem(result), {
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

/** Handlers of `/v1/dispute`. */
export const disputeRoute = route(
  { POST: refuseUnknownParameters(createDisputeOperation, respond) },
  { limiter: disputeLimiter },
);
