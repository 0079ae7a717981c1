import {
  claimInputSchema,
  createClaimOperation,
  endClaimOperation,
  showClaimOperation,
  verifyClaimOperation,
} from '@touchstone/contract/operations/claim/operation';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { readJson } from '@touchstone/payment';
import { createClaim, endClaim, readClaim, verifyClaim } from '@touchstone/pipeline/claims/claim-host';
import { freeLimiter, claimLimiter } from '../../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route, type ApiHandler } from '../../api/route.ts';
import { getClaimContext } from '../claim-context.ts';
import { requireSecret, toOwnerResponse, type OwnerOperation } from './owner-routes.ts';

/** Reads the host from the body of a request; an error response if the body is not a claim request. */
async function readHost(request: Request): Promise<{ readonly host: string } | Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = claimInputSchema.safeParse(parts);
  return parsed.success ? parsed.data : createProblemResponse(createValidationProblem(parsed.error, parts));
}

const create: ApiHandler = async (request) => {
  const read = await readHost(request);
  return read instanceof Response ? read : toOwnerResponse(await createClaim(getClaimContext(), read));
};

const verify: OwnerOperation = async (credentials, request) => {
  const read = await readHost(request);
  if (read instanceof Response) return read;
  return toOwnerResponse(await verifyClaim(getClaimContext(), { ...credentials, ...read }));
};

/** Handlers of `/v1/claim`. */
export const claimsRoute = route(
  { POST: refuseUnknownParameters(createClaimOperation, create) },
  { limiter: claimLimiter },
);

/** Handlers of `/v1/claim/{id}`, for the owner of the claim. */
export const claimRoute = route(
  {
    GET: requireSecret(showClaimOperation, 'claim', async (credentials) =>
      toOwnerResponse(await readClaim(getClaimContext(), credentials)),
    ),
    DELETE: requireSecret(endClaimOperation, 'claim', async (credentials) =>
      toOwnerResponse(await endClaim(getClaimContext(), credentials)),
    ),
  },
  { limiter: freeLimiter },
);

/** Handlers of `/v1/claim/{id}/verify`, for the owner of the claim. */
export const claimVerifyRoute = route(
  {
    POST: requireSecret(verifyClaimOperation, 'claim', verify),
  },
  { limiter: claimLimiter },
);
