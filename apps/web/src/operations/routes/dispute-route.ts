import {
  createDisputeOperation,
  listCorrectionsOperation,
} from '@touchstone/contract/operations/dispute/operation';
import { disputeInputSchema } from '@touchstone/contract/operations/dispute/schemas';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { readJson } from '@touchstone/payment';
import { createDispute } from '@touchstone/pipeline/disputes/create-dispute';
import { toCorrection } from '@touchstone/pipeline/disputes/to-correction';
import { disputeLimiter, freeLimiter } from '../../api/rate-limit/limiters.ts';
import { readBearerToken } from '../../api/read-request.ts';
import { createJsonResponse, createProblemResponse, EVENTS_MAX_AGE_SECONDS } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { loadCorrections } from '../../serving/page-cache/page-data.ts';
import { getWalletContext } from '../wallet-context.ts';
import { toProblem } from '../to-work-result.ts';

async function respond(request: Request): Promise<Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = disputeInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const secret = readBearerToken(request.headers.get('authorization'));
  const result = await createDispute(getWalletContext(), parsed.data, secret);
  if (result.kind === 'result') return createJsonResponse(result.body, 0);
  const { code, retryAfterSeconds } = result;
  return createProblemResponse(toProblem(result), {
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

async function respondWithCorrections(): Promise<Response> {
  const baseUrl = getSiteOrigin(process.env);
  const corrections = (await loadCorrections()).map((entry) => toCorrection(entry, baseUrl));
  return createJsonResponse({ corrections }, EVENTS_MAX_AGE_SECONDS);
}

/** Handlers of `/corrections.json`. */
export const correctionsRoute = route(
  { GET: refuseUnknownParameters(listCorrectionsOperation, respondWithCorrections) },
  { limiter: freeLimiter },
);

/** Handlers of `/v1/dispute`. */
export const disputeRoute = route(
  { POST: refuseUnknownParameters(createDisputeOperation, respond) },
  { limiter: disputeLimiter },
);
