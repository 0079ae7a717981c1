import { createProblem, type RatePolicy } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { getRequestPath } from '../request-path.ts';
import { createProblemResponse } from '../responses.ts';

/** State of the rate limit window of a client after one more request was counted. */
export interface WindowState {
  readonly allowed: boolean;
  /** Number of requests that the client can still send in this window. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

export interface LimiterOptions {
  /** Policy of all clients, or a function that returns the policy of one client. */
  readonly policy: RatePolicy | ((client: string) => RatePolicy);
  /** Counts one request of a client; all processes share the count. Resolves to null if the counter is unavailable. */
  readonly consume: (client: string, policy: RatePolicy) => Promise<WindowState | null>;
  readonly getClient: (request: Request) => string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns true if the limiter applies to a request. By default, it applies to all requests. */
  readonly applies?: (request: Request) => boolean;
  /**
   * Returns true for a request that is counted only if its response is an error. Other requests are counted before
   * their response.
   */
  readonly countsAfterResponse?: (request: Request) => boolean;
}

/** Rate limiter. It responds with 429 to a client over its limit. For other clients it calls `respond`. */
export type Limiter = (request: Request, respond: () => Promise<Response>) => Promise<Response>;

/** Maximum number of clients over their limit that one process keeps in memory. */
const MAX_REMEMBERED_CLIENTS = 10_000;

/**
 * Creates a rate limiter that counts the requests of each client. All processes share the counter. A process keeps
 * clients over their limit in memory, so that their further requests need no database call. If the counter is
 * unavailable, requests are allowed. The header fields follow draft-ietf-httpapi-ratelimit-headers-10.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { getClient, now, applies = () => true, countsAfterResponse = () => false } = options;
  const getPolicy = (client: string): RatePolicy =>
    typeof options.policy === 'function' ? options.policy(client) : options.policy;
  const exhausted = new LRUCache<string, WindowState>({ max: MAX_REMEMBERED_CLIENTS });
  const count = async (client: string): Promise<WindowState | null> => {
    const state = await options.consume(client, getPolicy(client));
    if (state?.allowed === false) exhausted.set(client, state);
    return state;
  };
  const toStatus = (client: string, { remaining, resetsAt }: WindowState): LimitStatus => ({
    policy: getPolicy(client),
    remaining: Math.max(0, remaining),
    resetSeconds: Math.max(1, Math.ceil((resetsAt - now()) / 1000)),
  });
  return async (request, respond) => {
    if (!applies(request)) return respond();
    const client = getClient(request);
    const remembered = exhausted.get(client);
    if (remembered !== undefined && remembered.resetsAt > now())
      return createTooManyResponse(request, toStatus(client, remembered));
    if (!countsAfterResponse(request)) {
      const state = await count(client);
      if (state?.allowed === false) return createTooManyResponse(request, toStatus(client, state));
      const response = await respond();
      return state === null ? response : addLimitHeaders(response, toStatus(client, state));
    }
    const response = await respond();
    if (response.ok) return response;
    const state = await count(client);
    return state === null ? response : addLimitHeaders(response, toStatus(client, state));
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
  const detail = `Rate limit exceeded: at most ${policy.limit} requests per ${policy.windowSeconds} seconds from one IP address. Wait ${resetSeconds} seconds.`;
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
