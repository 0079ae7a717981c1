import { refusal } from './route.ts';
import { route } from './route.ts';

const unknown = (request: Request): Response =>
  refusal(request, [
    'unknown-resource',
    'Nothing is served at this path. The operations there are stand in /openapi.json, in words at /docs.',
  ]);

/** The handlers of every path below the API that is none. */
export const unknownPath = route({
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
});
