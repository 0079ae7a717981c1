import { createProblem } from '@touchstone/contract';
import {
  PICTURE_MAX_AGE_SECONDS,
  createDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { freeLimiter, getClient, pictureLimiter } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import { route } from '../../api/route.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { parseEndpointId } from '../../serving/known-pages/page-paths.ts';
import { findEndpoint, respondNotFound } from '../../serving/known-pages/known-pages.ts';
import { drawPicture, drawSitePicture, findPicture } from './draw-picture.tsx';
import { createPictureContent, type EndpointPictureContent } from './picture-layout.tsx';

const PICTURE_PATH = /^\/picture\/([a-z0-9-]+)\.png$/;

/** Name of the picture of all pages that are not about one endpoint. */
const SITE = 'site';

const UNKNOWN =
  'No page has this picture. The URL of a picture is /picture/{slug}.png, where {slug} is the last part of the URL of an endpoint page.';

const BUSY = 'Too many pictures are requested at present. Request the picture again in a minute.';

/** Responds with the picture of a page for link previews. */
async function respond(request: Request): Promise<Response> {
  const name = PICTURE_PATH.exec(getRequestPath(request.url))?.[1];
  if (name === SITE) return createPictureResponse(request, await drawSitePicture());
  const endpointId = name === undefined ? null : parseEndpointId(name);
  if (endpointId === null) return createProblemResponse(createProblem('unknown-resource', UNKNOWN));
  const found = await findEndpoint({
    name: endpointId,
    client: getClient(request),
    query: () => getPublicStore().readSnapshot(endpointId),
  });
  if (found.kind !== 'found') return respondNotFound(found, endpointId, UNKNOWN);
  const { value: snapshot } = found;
  // Only the canonical slug has a picture, so that public caches do not store the same picture several times.
  if (snapshot.slug !== name) return createProblemResponse(createProblem('unknown-resource', UNKNOWN));
  return respondWithPicture(request, createPictureContent(snapshot));
}

/** Responds with the stored picture. Only pictures that must be drawn count for the rate limit of pictures. */
async function respondWithPicture(request: Request, content: EndpointPictureContent): Promise<Response> {
  const stored = findPicture(content);
  if (stored !== null) return createPictureResponse(request, await stored);
  return pictureLimiter(request, async () => {
    const picture = await drawPicture(content);
    return picture === null
      ? createProblemResponse(createProblem('picture-unavailable', BUSY), { 'retry-after': '60' })
      : createPictureResponse(request, picture);
  });
}

function createPictureResponse(request: Request, picture: Uint8Array<ArrayBuffer>): Response {
  return createDocumentResponse(request, {
    text: picture,
    type: 'image/png',
    maxAgeSeconds: PICTURE_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/picture/{slug}.png`. */
export const pictureRoute = route({ GET: respond }, { limiter: freeLimiter });
