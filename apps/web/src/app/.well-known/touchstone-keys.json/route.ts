import { createProblem } from '@touchstone/contract';
import { createDocumentResponse, createProblemResponse } from '../../../api/responses.ts';
import { route } from '../../../api/route.ts';
import { getSigningKeys } from '../../../config/signing-keys.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** Responds with the public keys of report signatures, the current one first. */
async function respond(request: Request): Promise<Response> {
  const keys = await getSigningKeys();
  if (keys === null) {
    return createProblemResponse(
      createProblem('unknown-resource', 'This service does not sign its reports.'),
    );
  }
  return createDocumentResponse(request, {
    text: JSON.stringify(keys.published),
    type: 'application/json',
    maxAgeSeconds: FIVE_MINUTES_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
