import {
  createProblem,
  watchCreateInputSchema,
  watchRenewInputSchema,
  type Problem,
  type WatchCreateRequest,
} from '@touchstone/contract';
import type { PaidOperation, WorkResult } from '@touchstone/payment';
import { renewWatch, type WatchProblem, type WatchResult } from '@touchstone/pipeline';
import { createInQueue } from './connection-test-queue.ts';
import { getWatchCipher } from '../platform/config/configured-keys.ts';
import { requireOperation } from './require-operation.ts';
import { toPaymentResource } from './to-payment-resource.ts';
import { getWatchContext } from './watch-context.ts';

/**
 * Time in which a payment without its purchase secret gets the result of a purchase again, in seconds. The result
 * contains the secret of the watch, and everyone can read a settled payment from the chain.
 */
const PUBLIC_REPLAY_SECONDS = 60;

/** Paid operation that watches one endpoint for 30 days. Its stored result is encrypted, because it has the secret. */
export const createWatchOperation: PaidOperation<WatchCreateRequest> = {
  operation: requireOperation('/v1/watch-endpoint-30d'),
  input: watchCreateInputSchema,
  toResource: ({ endpoint }) => toPaymentResource({ resource: endpoint }),
  work: async (request, buyer, context) =>
    toWorkResult(await createInQueue(getWatchContext(), request, { buyer, ...context })),
  // The getter delays the reading of the keys until the first request, because the build has no configuration.
  get cipher() {
    return getWatchCipher();
  },
  publicReplaySeconds: PUBLIC_REPLAY_SECONDS,
};

/** Paid operation that extends a watch by 30 days. Anyone who knows the id of a watch can buy it. */
export const renewWatchOperation: PaidOperation<{ readonly id: string }> = {
  operation: requireOperation('/v1/watch/{id}/renew'),
  input: watchRenewInputSchema,
  toResource: ({ id }) => `watch:${id}`,
  work: async (request, buyer) => toWorkResult(await renewWatch(getWatchContext(), request, buyer)),
};

/** Converts the reason why an operation on a watch changed nothing to the body of an error response. */
export function toProblem({ code, detail, errors }: WatchProblem): Problem {
  return createProblem(code, detail, errors === undefined ? {} : { errors: [...errors] });
}

function toWorkResult(result: WatchResult<unknown>): WorkResult {
  if (result.kind === 'result') return { body: result.body };
  const problem = toProblem(result);
  const { retryAfterSeconds } = result;
  return retryAfterSeconds === undefined ? { problem } : { problem, retryAfterSeconds };
}
