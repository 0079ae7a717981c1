import type { WatchCreated, WatchCreateRequest } from '@touchstone/contract';
import { createPurchaseQueue, type Buyer, type WorkContext } from '@touchstone/payment';
import {
  createWatch,
  editWatch,
  type EditRequest,
  type WatchContext,
  type WatchProblem,
  type WatchResult,
} from '@touchstone/pipeline';

/**
 * Queue of requests that test delivery URLs: purchases of a watch, and edits with URLs. A test of URLs that do not
 * respond takes up to 12 seconds and is not charged. A client gets at most 8 slots and has at most 16 further requests in
 * the queue, because the lease of a payment is extended for at most 30 seconds of work.
 */
export const connectionTestQueue = createPurchaseQueue({
  maxSlots: 32,
  maxSlotsPerClient: 8,
  maxPurchases: 200,
  maxPurchasesPerClient: 24,
});

const OVERLOADED: WatchProblem = {
  kind: 'problem',
  code: 'rate-limited',
  detail:
    'Too many connection tests of delivery URLs are waiting. Send the same request again in 10 seconds.',
  retryAfterSeconds: 10,
};

/** Creates a watch. A request with delivery URLs waits in the queue of the connection tests. */
export function createInQueue(
  context: WatchContext,
  request: WatchCreateRequest,
  purchase: WorkContext & { readonly buyer: Buyer },
): Promise<WatchResult<WatchCreated>> {
  const create = () => createWatch(context, request, purchase);
  if (request.webhookUrls.length + request.chatUrls.length === 0) return create();
  return runInQueue(purchase.client, create);
}

/** Edits a watch. An edit with delivery URLs waits in the queue of the connection tests. */
export function editInQueue(context: WatchContext, request: EditRequest): ReturnType<typeof editWatch> {
  const { webhookUrls = [], chatUrls = [] } = request.edit;
  const edit = () => editWatch(context, request);
  return webhookUrls.length + chatUrls.length === 0 ? edit() : runInQueue(request.client, edit);
}

function runInQueue<Body>(
  client: string,
  operation: () => Promise<WatchResult<Body>>,
): Promise<WatchResult<Body>> {
  return connectionTestQueue.run(client, operation) ?? Promise.resolve(OVERLOADED);
}
