import { createProblem, type RatePolicy } from '@touchstone/contract';
import { getRequestPath } from '../read-request.ts';
import { createProblemResponse } from '../responses.ts';
import type { CountedWindow, ProcessCounter, SharedCount } from './process-counter.ts';

export interface LimiterOptions {
  /** Policy of all clients, or a function that returns the policy of one client. */
  readonly policy: RatePolicy | ((client: string) => RatePolicy);
  readonly counter: ProcessCounter;
  /** Counter that several processes share; absent if this process is the only one. */
  readonly countShared?: SharedCount;
  readonly getClient: (request: Request) => string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly countsErrorsTwice?: boolean;
  /**
   * True if the response does not wait for the shared counter. The shared count then applies to the next request of the
   * client.
   */
  readonly countsBesideResponse?: boolean;
}

/**
 * Rate limiter. The limiter responds with 429 to a client over its limit, and calls `respond` for any other client.
 *
 * @param cost Number of requests that the request counts as, 1 by default.
 */
export type Limiter = (
  request: Request,
  respond: () => Promise<Response>,
  cost?: number,
) => Promise<Response>;

/**
 * Creates a rate limiter that counts the requests of each client in this process, and also in the shared counter if
 * there is one. A client is over its limit if one of the two counts exceeds the limit. If the shared counter is
 * unavailable, the count of this process decides. The shared counter does not count the requests of a client over its
 * limit until the window of the client ends. The header fields follow draft-ietf-httpapi-ratelimit-headers-10.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { counter, getClient, now, countsErrorsTwice = false } = options;
  const getPolicy = (client: string): RatePolicy =>
    typeof options.policy === 'function' ? options.policy(client) : options.policy;
  const countRequest = createRequestCount(options);
  return async (request, respond, cost = 1) => {
    const client = getClient(request);
    const policy = getPolicy(client);
    const toStatus = ({ policy: limited, remaining, resetsAt }: CountedWindow): LimitStatus => ({
      policy: limited,
      remaining,
      resetSeconds: Math.max(1, Math.ceil((resetsAt - now()) / 1000)),
    });
    const exhausted = counter.findExhausted(client, policy);
    if (exhausted !== null) return createTooManyResponse(request, toStatus(exhausted));
    const state = await countRequest(client, policy, cost);
    if (!state.allowed) return createTooManyResponse(request, toStatus(state));
    const response = await respond();
    const isCountedAgain = countsErrorsTwice && !response.ok;
    const last = isCountedAgain ? await countRequest(client, policy, cost) : state;
    return addLimitHeaders(response, toStatus(last));
  };
}

/**
 * Creates a function that counts a request in this process and in the shared counter, and returns the stricter of the
 * two window states.
 */
function createRequestCount({ counter, countShared, countsBesideResponse = false }: LimiterOptions) {
  return async (client: string, policy: RatePolicy, cost: number): Promise<CountedWindow> => {
    const own = counter.count(client, policy, cost);
    if (countShared === undefined || !own.allowed) return own;
    const sharedCount = countShared(client, policy, cost).catch(() => null);
    const counted = sharedCount.then((shared) => {
      if (shared === null) return own;
      counter.replace(client, policy, shared);
      return shared.allowed && shared.remaining > own.remaining ? own : { ...shared, policy };
    });
    return countsBesideResponse ? own : counted;
  };
}

/** Values of the response headers `RateLimit-Policy` and `RateLimit`. */
interface LimitStatus {
  readonly policy: RatePolicy;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

function createTooManyResponse(request: Request, limitStatus: LimitStatus): Response {
  const { policy, resetSeconds } = limitStatus;
  const detail = `Rate limit exceeded: at most ${policy.limit} requests per ${policy.windowSeconds} seconds from one IP address or IPv6 network. Wait ${resetSeconds} seconds.`;
  const problem = createProblem('rate-limited', detail, { instance: getRequestPath(request.url) });
  return createProblemResponse(problem, {
    ...formatLimitHeaders({ ...limitStatus, remaining: 0 }),
    'retry-after': String(resetSeconds),
  });
}

/**
 * Adds the headers `RateLimit-Policy` and `RateLimit` to a response. Both headers are lists, so the entries of another
 * policy are kept.
 */
function addLimitHeaders(response: Response, limitStatus: LimitStatus): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(formatLimitHeaders(limitStatus))) headers.append(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

function formatLimitHeaders({
  policy,
  remaining,
  resetSeconds,
}: LimitStatus): Readonly<Record<string, string>> {
  const { name, limit, windowSeconds } = policy;
  return {
    'ratelimit-policy': `"${name}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
