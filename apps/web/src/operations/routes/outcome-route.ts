import {
  outcomeInputSchema,
  reportOutcomeOperation,
} from '@touchstone/contract/operations/outcome/operation';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { readJson } from '@touchstone/payment';
import { reportOutcome } from '@touchstone/pipeline/outcomes/report-outcome';
import { outcomeLimiter } from '../../api/rate-limit/limiters.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { getWalletContext } from '../wallet-context.ts';
import { toProblem } from '../to-work-result.ts';

async function respond(request: Request): Promise<Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = outcomeInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const result = await reportOutcome(getWalletContext(), parsed.data);
  if (result.kind === 'result') return createJsonResponse(result.body, 0);
  const { retryAfterSeconds } = result;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return createProblemResponse(toProblem(result), headers);
}

/** Handlers of `/v1/outcomes`. */
export const outcomeRoute = route(
  { POST: refuseUnknownParameters(reportOutcomeOperation, respond) },
  { limiter: outcomeLimiter },
);
