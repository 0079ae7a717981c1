import { revalidateTag } from 'next/cache';
import { createProblem } from '@touchstone/contract';
import { z } from 'zod';
import { createProblemResponse } from '../../../../api/responses.ts';
import { hasBearerToken } from '../../../../api/bearer-token.ts';
import { getConfig } from '../../../../config/config.ts';

/** 128 tags of 256 characters and what JSON needs around them. */
const LONGEST_BODY = 64 * 1024;

const bodySchema = z.object({ tags: z.array(z.string().min(1).max(256)).max(128) });

/**
 * Says that data changed. The body is `{ tags: string[] }`, at most 128 of them: `endpoint:{id}`, `leaderboard` or
 * `ecosystem`. The next visitor of a page made from that data gets it made anew.
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
    const detail = 'The body must be { "tags": string[] } with at most 128 tags of 1 to 256 characters.';
    return createProblemResponse(createProblem('invalid-request', detail));
  }
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
  return Response.json({ revalidated: tags.length }, { headers: { 'cache-control': 'no-store' } });
}

/** The tags of the body; null when it is not what it must be. */
async function readTags(request: Request): Promise<readonly string[] | null> {
  if (Number(request.headers.get('content-length')) > LONGEST_BODY) return null;
  const text = await request.text();
  if (text.length > LONGEST_BODY) return null;
  try {
    return bodySchema.parse(JSON.parse(text)).tags;
  } catch {
    return null;
  }
}
