import {
  claimInputSchema,
  createClaimOperation,
  editClaimOperation,
  endClaimOperation,
  recheckOperation,
  showClaimOperation,
  verifyClaimOperation,
} from '@touchstone/contract/operations/claim/operation';
import { recheckRequestSchema } from '@touchstone/contract/operations/claim/recheck';
import { claimEditRequestSchema } from '@touchstone/contract/operations/claim/settings';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { readJson } from '@touchstone/payment';
import {
  createClaim,
  endClaim,
  findOwnedClaim,
  readClaim,
  verifyClaim,
} from '@touchstone/pipeline/claims/claim-host';
import { editClaim } from '@touchstone/pipeline/claims/edit-claim';
import { recheckEndpoint } from '@touchstone/pipeline/claims/recheck-endpoint';
import { z } from 'zod';
import { freeLimiter, claimLimiter, getClient } from '../../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route, type ApiHandler } from '../../api/route.ts';
import { getClaimContext } from '../claim-context.ts';
import { getReportContext } from '../report-context.ts';
import { getWatchContext } from '../watch-context.ts';
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

/** Parses the body of a request of an owner; an error response if the body does not match the schema. */
async function readBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<{ body: Body } | Response> {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = z.object({ body: schema }).safeParse(parts);
  return parsed.success ? parsed.data : createProblemResponse(createValidationProblem(parsed.error, parts));
}

const edit: OwnerOperation = async (credentials, request) => {
  const owned = await findOwnedClaim(getClaimContext(), credentials);
  if (owned.kind === 'problem') return toOwnerResponse(owned);
  const read = await readBody(request, claimEditRequestSchema);
  if (read instanceof Response) return read;
  const context = { ...getClaimContext(), watches: getWatchContext() };
  return toOwnerResponse(
    await editClaim(context, owned.claim, { edit: read.body, client: getClient(request) }),
  );
};

const recheck: OwnerOperation = async (credentials, request) => {
  const owned = await findOwnedClaim(getClaimContext(), credentials);
  if (owned.kind === 'problem') return toOwnerResponse(owned);
  const read = await readBody(request, recheckRequestSchema);
  if (read instanceof Response) return read;
  return toOwnerResponse(await recheckEndpoint(await getReportContext(), owned.claim, read.body.resource));
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
    PATCH: requireSecret(editClaimOperation, 'claim', edit),
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

/** Handlers of `/v1/claim/{id}/recheck`, for the owner of the claim. */
export const claimRecheckRoute = route(
  { POST: requireSecret(recheckOperation, 'claim', recheck) },
  { limiter: claimLimiter },
);
