import {
  paymentStatusInputSchema,
  paymentStatusOperation,
  type PaymentStatusRequest,
} from '@touchstone/contract/operations/payment-status/operation';
import { readQuery } from '@touchstone/contract/shared/query-parameters';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import { createPurchaseQueue } from '@touchstone/payment';
import {
  normalize,
  type PaymentStatusProblem,
  type PaymentStatusResult,
  readStatus,
} from '@touchstone/pipeline/payment-status/read-status';
import { createLimited } from '@touchstone/pipeline/problem';
import { LRUCache } from 'lru-cache';
import { getQueueClient, paymentStatusLimiter } from '../../api/rate-limit/limiters.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { signIfConfigured } from '../sign-document.ts';
import { toProblem } from '../to-work-result.ts';
import { getWalletContext } from '../wallet-context.ts';

/** Maximum age of a state that a later block can change, in seconds: the time between two blocks of most networks. */
const OPEN_MAX_AGE_SECONDS = 2;
/**
 * Maximum age of a state that no later block changes, in seconds. This process and an HTTP cache can both keep the state
 * for this time, and the guard accepts a document of at most 60 seconds.
 */
const FINAL_MAX_AGE_SECONDS = 30;
const MAX_STATES = 2_000;

type Reading = PaymentStatusResult | PaymentStatusProblem;

/** Queue and latest states of this process. A reading takes up to 15 seconds and about 60 calls to a chain. */
const getReader = () =>
  getProcessValue('payment-status-reader', () => ({
    queue: createPurchaseQueue({
      ...{ maxSlots: 8, maxSlotsPerClient: 2, maxPurchases: 64, maxPurchasesPerClient: 8 },
    }),
    states: new LRUCache<string, Promise<Reading>>({ max: MAX_STATES, ttl: OPEN_MAX_AGE_SECONDS * 1_000 }),
  }));

const BUSY = createLimited('Too many states of payments are being read.', 5);

/** Returns the kept state of a payment, or reads the state after the earlier readings in the queue. */
async function read(request: PaymentStatusRequest, client: string): Promise<Reading> {
  const { queue, states } = getReader();
  const values = Object.entries(request).map(([name, value]) => `${name}=${normalize(value)}`);
  const key = values.toSorted().join('&');
  const kept = states.get(key);
  if (kept !== undefined) return kept;
  const reading = queue.run(client, async () => {
    const result = await readStatus(getWalletContext(), request);
    return result.kind === 'result' ? { ...result, body: await signIfConfigured(result.body) } : result;
  });
  if (reading === null) return BUSY;
  states.set(key, reading);
  try {
    const result = await reading;
    const isFinal = result.kind === 'result' && result.isFinal;
    states.set(key, reading, { ttl: (isFinal ? FINAL_MAX_AGE_SECONDS : OPEN_MAX_AGE_SECONDS) * 1_000 });
    return result;
  } catch (error) {
    states.delete(key);
    throw error;
  }
}

async function respond(request: Request): Promise<Response> {
  const parts = { query: readQuery(request.url) };
  const parsed = paymentStatusInputSchema.safeParse(parts);
  if (!parsed.success)
    return createProblemResponse(createValidationProblem(parsed.error, { body: {}, ...parts }));
  const result = await read(parsed.data, getQueueClient(request));
  if (result.kind === 'result')
    return createJsonResponse(result.body, result.isFinal ? FINAL_MAX_AGE_SECONDS : OPEN_MAX_AGE_SECONDS);
  const { retryAfterSeconds } = result;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return createProblemResponse(toProblem(result), headers);
}

/** Handlers of `/v1/payment-status`. */
export const paymentStatusRoute = route(
  { GET: refuseUnknownParameters(paymentStatusOperation, respond) },
  { limiter: paymentStatusLimiter },
);
