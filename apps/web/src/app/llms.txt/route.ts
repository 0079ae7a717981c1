import { createLlmsText } from '@touchstone/contract';
import { DOCUMENT_MAX_AGE_SECONDS } from '../../api/cache-times.ts';
import { createDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getConfig, getSiteOrigin } from '../../config/config.ts';
import { findSampleResource } from '../../docs/sample-resource.ts';

export const dynamic = 'force-dynamic';

/** Responds with a description of the service for language models. */
const respond = async (request: Request): Promise<Response> =>
  createDocumentResponse(request, {
    text: createLlmsText(getSiteOrigin(process.env), {
      network: getConfig().network,
      arePaymentsEnabled: getConfig().payment !== null,
      resource: await findSampleResource(),
    }),
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
