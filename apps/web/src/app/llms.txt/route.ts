import { DOCUMENT_MAX_AGE_SECONDS, createFixedDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { createServiceLlmsText } from '../../operations/documents/service-llms-text.ts';

export const dynamic = 'force-dynamic';

/** Responds with a description of the service for language models. */
const respond = async (request: Request): Promise<Response> =>
  createFixedDocumentResponse(request, {
    text: await createServiceLlmsText(),
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
