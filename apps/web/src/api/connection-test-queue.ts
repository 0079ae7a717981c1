import { editWatch, type EditRequest, type WatchContext, type WatchProblem } from '@touchstone/pipeline';
import { createTaskQueue } from './task-queue.ts';

/**
 * Queue of requests that may test delivery URLs: purchases of a watch, and edits with URLs. A test of URLs that do not
 * respond takes up to 17 seconds, so these requests do not use the queue of the other purchases. At most 8 requests run
 * at the same time, and at most 200 wait.
 */
export const enqueueConnectionTests = createTaskQueue({ maxConcurrent: 8, maxWaiting: 200 });

const OVERLOADED: WatchProblem = {
  kind: 'problem',
  code: 'rate-limited',
  detail:
    'Too many connection tests of delivery URLs are waiting. Send the same request again in 10 seconds.',
  retryAfterSeconds: 10,
};

/** Edits a watch. An edit with delivery URLs waits in the queue of the connection tests. */
export function editInQueue(context: WatchContext, request: EditRequest): ReturnType<typeof editWatch> {
  const { webhookUrls = [], chatUrls = [] } = request.edit;
  const edit = () => editWatch(context, request);
  if (webhookUrls.length + chatUrls.length === 0) return edit();
  return enqueueConnectionTests(edit) ?? Promise.resolve(OVERLOADED);
}
