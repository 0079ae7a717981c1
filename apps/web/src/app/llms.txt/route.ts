import { DOCUMENT_MAX_AGE_SECONDS, createFixedDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { findSampleResource } from '../../operations/documents/sample-resource.ts';
import { createServiceLlmsText } from '../../operations/documents/service-llms-text.ts';

export const dynamic = 'force-dynamic';

/** Responds with a description of the service for language models. */
async function respond(request: Request): Promise<Response> {
  const resource = await findSampleResource();
  return createFixedDocumentResponse(request, {
    text: createServiceLlmsText(resource ?? undefined),
    isComplete: resource !== undefined,
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
