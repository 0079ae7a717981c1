import { createProblem } from '@touchstone/contract';
import {
  DOCUMENT_MAX_AGE_SECONDS,
  createFixedDocumentResponse,
  createProblemResponse,
} from '../../../api/responses.ts';
import { route } from '../../../api/route.ts';
import { getSigningKeys } from '../../../platform/config/configured-keys.ts';

export const dynamic = 'force-dynamic';

/** Responds with the public keys that verify report signatures. The current key is the first. */
async function respond(request: Request): Promise<Response> {
  const keys = await getSigningKeys();
  if (keys === null) {
    return createProblemResponse(
      createProblem('unknown-resource', 'This service does not sign its reports.'),
    );
  }
  return createFixedDocumentResponse(request, {
    text: JSON.stringify(keys.published),
    type: 'application/json',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
