import { createDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getPublishedOpenApi } from '../../docs/published-openapi.ts';
import { findSampleResource } from '../../docs/sample-resource.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** The API as an OpenAPI document, made from what validates requests and answers. */
const answer = async (request: Request): Promise<Response> =>
  createDocumentResponse(request, {
    text: getPublishedOpenApi(await findSampleResource()),
    type: 'application/json',
    maxAgeSeconds: FIVE_MINUTES_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: answer });
