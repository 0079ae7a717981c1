import { createProblem } from '@touchstone/contract';
import { createBadge } from './create-badge.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import {
  PICTURE_MAX_AGE_SECONDS,
  createDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { findEndpoint, respondNotFound } from '../../serving/known-pages/known-pages.ts';
import { freeLimiter, getClient } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import { route } from '../../api/route.ts';

/** Pattern of the path of a badge. The endpoint id has ten base32 characters. */
const BADGE_PATH = /^\/badge\/([a-z2-7]{10})\.svg$/;

const UNKNOWN =
  'No endpoint has this badge. The URL of a badge is /badge/{id}.svg, where {id} is the last ten characters of the URL of an endpoint page.';

async function respond(request: Request): Promise<Response> {
  const endpointId = BADGE_PATH.exec(getRequestPath(request.url))?.[1];
  if (endpointId === undefined) return createProblemResponse(createProblem('unknown-resource', UNKNOWN));
  const found = await findEndpoint({
    name: endpointId,
    client: getClient(request),
    query: () => getPublicStore().readSnapshot(endpointId),
  });
  if (found.kind !== 'found') return respondNotFound(found, endpointId, UNKNOWN);
  return createDocumentResponse(request, {
    text: createBadge(found.value),
    type: 'image/svg+xml',
    maxAgeSeconds: PICTURE_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/badge/{id}.svg`. */
export const badgeRoute = route({ GET: respond }, { limiter: freeLimiter });
