import { EVENTS_MAX_AGE_SECONDS } from '../../api/cache-times.ts';
import { createDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getSiteOrigin } from '../../config/config.ts';
import { ATOM_TYPE, createEventsFeed } from '../../events/events-feed.ts';
import { loadFirstEvents } from '../../events/load-events.ts';

export const dynamic = 'force-dynamic';

/** Responds with the Atom feed of the newest events of all kinds. */
const respond = async (request: Request): Promise<Response> => {
  const { events } = await loadFirstEvents();
  return createDocumentResponse(request, {
    text: createEventsFeed(events, getSiteOrigin(process.env)),
    type: `${ATOM_TYPE}; charset=utf-8`,
    maxAgeSeconds: EVENTS_MAX_AGE_SECONDS,
  });
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
