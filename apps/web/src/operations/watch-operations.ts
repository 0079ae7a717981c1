import { createWatchOperation, renewWatchOperation } from '@touchstone/contract/operations/watch/operation';
import {
  watchCreateInputSchema,
  watchRenewInputSchema,
  type WatchCreateRequest,
} from '@touchstone/contract/operations/watch/requests';
import type { PaidOperation } from '@touchstone/payment';
import { readRenewed, renewWatch } from '@touchstone/pipeline/watches/buy-watch';
import { createInQueue } from './connection-test-queue.ts';
import { getWatchCipher } from '../platform/config/configured-keys.ts';
import { toPaymentResource } from './paid-route.ts';
import { toWorkResult } from './to-work-result.ts';
import { getWatchContext } from './watch-context.ts';

/**
 * Time after a purchase during which a repeated request gets the result without the purchase secret, in seconds. The
 * time is short, because the result contains the secret of the watch, and everyone can read a settled payment from the
 * chain.
 */
const PUBLIC_REPLAY_SECONDS = 60;

/**
 * Paid operation that watches one endpoint for 30 days. Its stored result is encrypted, because the result contains the
 * secret of the watch.
 */
export const watchCreation: PaidOperation<WatchCreateRequest> = {
  operation: createWatchOperation,
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

/** Paid operation that extends a watch by 30 days. Anyone who knows the id of a watch can buy the extension. */
export const watchRenewal: PaidOperation<{ readonly id: string }> = {
  operation: renewWatchOperation,
  input: watchRenewInputSchema,
  toResource: ({ id }) => `watch:${id}`,
  work: async (request, buyer) => toWorkResult(await renewWatch(getWatchContext(), request, buyer)),
  readSettled: (payment) => readRenewed(getWatchContext(), payment),
};
