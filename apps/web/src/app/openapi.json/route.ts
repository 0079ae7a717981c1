import { createDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { publishedOpenApi } from '../../published-openapi.ts';
import { sampleResource } from '../../sample-resource.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** The API as an OpenAPI document, made from what validates requests and answers. */
const answer = async (request: Request): Promise<Response> =>
  createDocumentResponse(request, {
    text: publishedOpenApi(await sampleResource()),
    type: 'application/json',
    maxAgeSeconds: FIVE_MINUTES_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: answer });
