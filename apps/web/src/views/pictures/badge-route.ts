import { createProblem } from '@touchstone/contract';
import { readKeptCheck } from '../../operations/checks.ts';
import { parseCheckParams } from '../check/check-params.ts';
import { createBadge, createCheckBadge } from './create-badge.ts';
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

const CHECK_BADGE_PATH = '/badge/check.svg';
const WITHOUT_URL =
  'The badge of a check needs the URL of the endpoint. Send /badge/check.svg?url=…, percent-encoded.';

const UNKNOWN =
  'No endpoint has this badge. The URL of a badge is /badge/{id}.svg, where {id} is the last ten characters of the URL of an endpoint page.';

async function respond(request: Request): Promise<Response> {
  if (getRequestPath(request.url) === CHECK_BADGE_PATH) return respondWithCheck(request);
  const endpointId = BADGE_PATH.exec(getRequestPath(request.url))?.[1];
  if (endpointId === undefined) return createProblemResponse(createProblem('unknown-resource', UNKNOWN));
  const found = await findEndpoint({
    name: endpointId,
    client: getClient(request),
    query: () => getPublicStore().readSnapshot(endpointId),
  });
  if (found.kind !== 'found') return respondNotFound(found, endpointId, UNKNOWN);
  return respondWithBadge(request, createBadge(found.value));
}

/** Responds with the badge of the latest check of the URL in the query. Sends no request to the URL. */
async function respondWithCheck(request: Request): Promise<Response> {
  const { url, method } = parseCheckParams(new URL(request.url).searchParams);
  if (url === null) return createProblemResponse(createProblem('invalid-request', WITHOUT_URL));
  const kept = await readKeptCheck({ resource: url, method });
  return respondWithBadge(request, createCheckBadge(kept === null ? null : kept.check));
}

function respondWithBadge(request: Request, text: string): Response {
  return createDocumentResponse(request, {
    ...{ text, type: 'image/svg+xml' },
    maxAgeSeconds: PICTURE_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/badge/{id}.svg` and `/badge/check.svg`. */
export const badgeRoute = route({ GET: respond }, { limiter: freeLimiter });
