import { createProblem } from '@touchstone/contract';
import { z } from 'zod';
import { createProblemResponse } from '../../../../api/responses.ts';
import { hasBearerToken } from '../../../../api/read-request.ts';
import { getConfig } from '../../../../platform/config/config.ts';
import { expireTags } from '../../../../serving/page-cache/expire-tags.ts';

/** Maximum length of the request body. The limit is enough for 128 tags of 300 characters with their JSON syntax. */
const MAX_BODY_LENGTH = 64 * 1024;

const bodySchema = z.object({ tags: z.array(z.string().min(1).max(300)).max(128) });

/**
 * Expires cached pages by tag. The request body is `{ tags: string[] }` with at most 128 tags: `endpoint:{id}`,
 * `provider:{host}`, `leaderboard`, `ecosystem` or `events`. A page with one of the tags is rendered again at its next request.
 */
export async function POST(request: Request): Promise<Response> {
  const { internalToken } = getConfig();
  if (internalToken === undefined) {
    return createProblemResponse(createProblem('unknown-resource', 'No such route.'));
  }
  if (!hasBearerToken(request.headers.get('authorization'), internalToken)) {
    return createProblemResponse(createProblem('unauthorized', 'The bearer token is missing or wrong.'), {
      'www-authenticate': 'Bearer',
    });
  }
  const tags = await readTags(request);
  if (tags === null) {
    const detail = 'The body must be { "tags": string[] } with at most 128 tags of 1 to 300 characters.';
    return createProblemResponse(createProblem('invalid-request', detail));
  }
  await expireTags(tags);
  return Response.json({ revalidated: tags.length }, { headers: { 'cache-control': 'no-store' } });
}

/** Reads the tags from the request body. Returns null if the body is invalid. */
async function readTags(request: Request): Promise<readonly string[] | null> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_LENGTH) return null;
  const text = await request.text();
  if (text.length > MAX_BODY_LENGTH) return null;
  try {
    return bodySchema.parse(JSON.parse(text)).tags;
  } catch {
    return null;
  }
}
