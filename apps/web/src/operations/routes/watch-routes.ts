import { readQuery } from '@touchstone/contract/shared/query-parameters';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import {
  cancelWatchOperation,
  editWatchOperation,
  showWatchOperation,
  watchEventsOperation,
} from '@touchstone/contract/operations/watch/operation';
import { watchEditSchema, watchEventsQuerySchema } from '@touchstone/contract/operations/watch/requests';
import { readJson } from '@touchstone/payment';
import { cancelWatch } from '@touchstone/pipeline/watches/edit-watch';
import { readWatch, readWatchEvents } from '@touchstone/pipeline/watches/read-watch';
import { z } from 'zod';
import { getWatchContext } from '../watch-context.ts';
import { editInQueue } from '../connection-test-queue.ts';
import { freeLimiter, getQueueClient } from '../../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { requireSecret, toOwnerResponse, type OwnerOperation } from './owner-routes.ts';

const editInputSchema = z.object({ body: watchEditSchema });
const eventsInputSchema = z.object({ query: watchEventsQuerySchema });

const read: OwnerOperation = async (credentials) =>
  toOwnerResponse(await readWatch(getWatchContext(), credentials));

const cancel: OwnerOperation = async (credentials) =>
  toOwnerResponse(await cancelWatch(getWatchContext(), credentials));

const edit: OwnerOperation = async (credentials, request) => {
  const json = await readJson(request);
  if ('problem' in json) return createProblemResponse(json.problem);
  const parts = { body: json.read, query: {} };
  const parsed = editInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  return toOwnerResponse(
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
  return toOwnerResponse(await readWatchEvents(getWatchContext(), { ...credentials, since, watchSince }));
};

/** Handlers of `/v1/watch/{id}`, for the owner of the watch. */
export const watchRoute = route(
  {
    GET: requireSecret(showWatchOperation, 'watch', read),
    PATCH: requireSecret(editWatchOperation, 'watch', edit),
    DELETE: requireSecret(cancelWatchOperation, 'watch', cancel),
  },
  { limiter: freeLimiter },
);

/** Handlers of `/v1/watch/{id}/events`, for the owner of the watch. */
export const watchEventsRoute = route(
  { GET: requireSecret(watchEventsOperation, 'watch', readEvents) },
  { limiter: freeLimiter },
);
