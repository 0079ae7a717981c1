import { createProblem } from '@touchstone/contract/shared/problem';
import { readQuery } from '@touchstone/contract/shared/query-parameters';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import {
  cancelWatchOperation,
  editWatchOperation,
  showWatchOperation,
  watchEventsOperation,
} from '@touchstone/contract/operations/watch/operation';
import { watchEditSchema, watchEventsQuerySchema } from '@touchstone/contract/operations/watch/requests';
import type { Operation } from '@touchstone/contract';
import { readJson } from '@touchstone/payment';
import { cancelWatch } from '@touchstone/pipeline/watches/edit-watch';
import { readWatch, readWatchEvents } from '@touchstone/pipeline/watches/read-watch';
import type { WatchCredentials, WatchResult } from '@touchstone/pipeline/watches/watch-context';
import { z } from 'zod';
import { getWatchContext } from '../watch-context.ts';
import { toProblem } from '../to-work-result.ts';
import { readBearerToken, getRequestPath } from '../../api/read-request.ts';
import { editInQueue } from '../connection-test-queue.ts';
import { freeLimiter, getQueueClient } from '../../api/rate-limit/limiters.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route, type ApiHandler } from '../../api/route.ts';

/** Position of the id in the path `/v1/watch/{id}`, split at its slashes. */
const ID_SEGMENT = 3;

const WITHOUT_SECRET =
  'The request has no bearer secret. Send the secret of the watch as Authorization: Bearer wsk_….';

const editInputSchema = z.object({ body: watchEditSchema });
const eventsInputSchema = z.object({ query: watchEventsQuerySchema });

type OwnerOperation = (credentials: WatchCredentials, request: Request) => Promise<Response>;

/** Creates the handler of an operation that needs the secret of the watch in the path. */
function requireSecret(operation: Operation, respond: OwnerOperation): ApiHandler {
  return refuseUnknownParameters(operation, (request) => {
    const secret = readBearerToken(request.headers.get('authorization'));
    if (secret === null) {
      return createProblemResponse(createProblem('unauthorized', WITHOUT_SECRET), {
        'www-authenticate': 'Bearer',
      });
    }
    const id = getRequestPath(request.url).split('/')[ID_SEGMENT] ?? '';
    return respond({ id, secret }, request);
  });
}

/**
 * Creates the response with the result of an operation on a watch, or with its problem. Caches must not store the
 * response.
 */
function toResponse(result: WatchResult<unknown>): Response {
  if (result.kind === 'result') return createJsonResponse(result.body, 0);
  const { code, retryAfterSeconds } = result;
  return createProblemResponse(toProblem(result), {
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

const read: OwnerOperation = async (credentials) =>
  toResponse(await readWatch(getWatchContext(), credentials));

const cancel: OwnerOperation = async (credentials) =>
  toResponse(await cancelWatch(getWatchContext(), credentials));

const edit: OwnerOperation = async (credentials, request) => {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = editInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  return toResponse(
    await editInQueue(getWatchContext(), {
      ...credentials,
      edit: parsed.data.body,
      client: getQueueClient(request),
    }),
  );
};

const readEvents: OwnerOperation = async (credentials, request) => {
  const parts = { body: {}, query: readQuery(request.url) };
  const parsed = eventsInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const { since, watch_since: watchSince } = parsed.data.query;
  return toResponse(await readWatchEvents(getWatchContext(), { ...credentials, since, watchSince }));
};

/** Handlers of `/v1/watch/{id}`, for the owner of the watch. */
export const watchRoute = route(
  {
    GET: requireSecret(showWatchOperation, read),
    PATCH: requireSecret(editWatchOperation, edit),
    DELETE: requireSecret(cancelWatchOperation, cancel),
  },
  { limiter: freeLimiter },
);

/** Handlers of `/v1/watch/{id}/events`, for the owner of the watch. */
export const watchEventsRoute = route(
  { GET: requireSecret(watchEventsOperation, readEvents) },
  { limiter: freeLimiter },
);
