import { refuseRequest, route } from './route.ts';

const refuse = (request: Request): Response =>
  refuseRequest(request, [
    'unknown-resource',
    'The API has no operation at this path. See /docs, or /openapi.json for programs.',
  ]);

/** Handlers of all API paths that match no other route. */
export const unknownPathRoute = route({
  GET: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
});
