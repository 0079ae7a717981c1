import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';
import { MAX_BODY_BYTES } from '@touchstone/contract/shared/requests';
import { createProblem } from '@touchstone/contract/shared/problem';
import { PREVIEW } from '@touchstone/contract/operations/preview/operation';
import { createPreview } from '@touchstone/pipeline/reports/preview';
import { unstable_cache } from 'next/cache';
import { readVantage, getSiteOrigin } from '../../platform/config/config.ts';
import { PAGE_LIFETIME_S } from '../../serving/page-cache/page-lifetime.ts';
import { getSecretDatabase } from '../../platform/database/databases.ts';
import { signIfConfigured } from '../sign-document.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { DOCUMENT_MAX_AGE_SECONDS, createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';

/**
 * Returns the preview: complete, signed reports on three endpoints that the caller cannot choose. The preview has the
 * cache tag of the leaderboard, because the preview and the leaderboard use the same ranking.
 */
const loadPreview = unstable_cache(createSignedPreview, ['preview'], {
  tags: ['leaderboard'],
  revalidate: PAGE_LIFETIME_S,
});

async function createSignedPreview() {
  const generatedAt = Date.now();
  const { samples, ...preview } = await createPreview(getSecretDatabase(), {
    baseUrl: getSiteOrigin(process.env),
    vantage: readVantage(process.env),
    generatedAt,
  });
  return {
    generatedAt: new Date(generatedAt).toISOString(),
    ...preview,
    samples: await Promise.all(
      samples.map(async ({ report, ...sample }) => ({ ...sample, report: await signIfConfigured(report) })),
    ),
  };
}

/** Responds with three complete sample reports: on the first, the middle and the last endpoint of the ranking. */
const respond = async (): Promise<Response> =>
  createJsonResponse(await loadPreview(), DOCUMENT_MAX_AGE_SECONDS);

/**
 * Responds to a POST request like to a GET request. The content of the body is ignored, but the body must not exceed
 * the body limit.
 */
async function respondToPost(request: Request): Promise<Response> {
  if (!(await exceedsBodyLimit(request))) return respond();
  return createProblemResponse(
    createProblem('body-too-large', 'The body is larger than 64 KiB; none is needed here.'),
  );
}

/** Handlers of `/v1/x402-trust-preview`. */
export const previewRoute = route(
  {
    GET: refuseUnknownParameters(PREVIEW, respond),
    POST: refuseUnknownParameters(PREVIEW, respondToPost),
  },
  { limiter: freeLimiter },
);

/**
 * Returns true if the body of a request is longer than the limit of the API. Reading stops when the limit is exceeded.
 *
 * @param request Request with the body. The body is consumed, unless `Content-Length` declares its length.
 */
export async function exceedsBodyLimit(request: Request): Promise<boolean> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_BODY_BYTES) return true;
  if (declared > 0) return false;
  try {
    await readBoundedBytes(request.body, MAX_BODY_BYTES);
    return false;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return true;
    throw error;
  }
}
