import { refuseRequest, route } from './route.ts';

const unknown = (request: Request): Response =>
  refuseRequest(request, [
    'unknown-resource',
    'The API has no operation at this path. See /docs, or /openapi.json for programs.',
  ]);

/** Handlers of every unknown path of the API. */
export const unknownPath = route({
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
});
