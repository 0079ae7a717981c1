import { createLlmsText } from '@touchstone/contract';
import { createDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getConfig, getSiteOrigin } from '../../config/config.ts';
import { findSampleResource } from '../../docs/sample-resource.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** Responds with a description of the service for language models. */
const respond = async (request: Request): Promise<Response> =>
  createDocumentResponse(request, {
    text: createLlmsText(getSiteOrigin(process.env), {
      network: getConfig().network,
      arePaymentsEnabled: getConfig().payment !== null,
      resource: await findSampleResource(),
    }),
    type: 'text/plain; charset=utf-8',
    maxAgeSeconds: FIVE_MINUTES_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
