import { createProblem, ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import { toPlainText } from '@touchstone/ui';
import {
  EVENTS_MAX_AGE_SECONDS,
  createDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { ATOM_TYPE, createEventsFeed } from './events-feed.ts';
import { loadFeedEvents } from './load-events.ts';

/** Responds with the Atom feed of the newest events. The parameter `kind` selects one kind. */
async function respondWithFeed(request: Request): Promise<Response> {
  const text = new URL(request.url).searchParams.get('kind') ?? '';
  const kind = ECOSYSTEM_EVENT_KINDS.find((each) => each === text) ?? null;
  if (text !== '' && kind === null) {
    const received = JSON.stringify(toPlainText(text, 60));
    const detail = `kind must be one of ${ECOSYSTEM_EVENT_KINDS.join(', ')}; received ${received}. Leave it out for all kinds.`;
    return createProblemResponse(createProblem('invalid-request', detail));
  }
  return createDocumentResponse(request, {
    text: createEventsFeed(await loadFeedEvents(kind), { kind, origin: getSiteOrigin(process.env) }),
    type: `${ATOM_TYPE}; charset=utf-8`,
    maxAgeSeconds: EVENTS_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/events.atom`. */
export const eventsFeedRoute = route({ GET: respondWithFeed }, { limiter: freeLimiter });
