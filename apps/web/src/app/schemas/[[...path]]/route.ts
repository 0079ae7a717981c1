import { findJsonSchemaText } from '@touchstone/contract';
import { createProblem } from '@touchstone/contract/shared/problem';
import {
  SCHEMA_MAX_AGE_SECONDS,
  createFixedDocumentResponse,
  createProblemResponse,
} from '../../../api/responses.ts';
import { getRequestPath } from '../../../api/read-request.ts';
import { route } from '../../../api/route.ts';
import { getSiteOrigin } from '../../../platform/config/config.ts';

export const dynamic = 'force-dynamic';

/** Responds with the published JSON Schema whose `$id` is the URL of the request. */
function respond(request: Request): Response {
  const text = findJsonSchemaText(getRequestPath(request.url), getSiteOrigin(process.env));
  if (text === null) {
    const detail =
      'There is no schema at this URL. The $schema member of a report contains the URL of its schema; /openapi.json lists all schemas.';
    return createProblemResponse(createProblem('unknown-resource', detail));
  }
  return createFixedDocumentResponse(request, {
    text,
    type: 'application/json',
    maxAgeSeconds: SCHEMA_MAX_AGE_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
