import { DOCUMENT_MAX_AGE_SECONDS, createFixedDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getPublishedOpenApi } from '../../operations/documents/published-openapi.ts';
import { findSampleResource } from '../../operations/documents/sample-resource.ts';

export const dynamic = 'force-dynamic';

/** Responds with the OpenAPI document, generated from the schemas that validate requests and responses. */
async function respond(request: Request): Promise<Response> {
  const resource = await findSampleResource();
  return createFixedDocumentResponse(request, {
    text: getPublishedOpenApi(resource ?? undefined),
    isComplete: resource !== undefined,
    type: 'application/json',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
