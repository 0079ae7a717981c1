import { createProblem, type RatePolicy } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { getRequestPath } from '../request-path.ts';
import { createProblemResponse } from '../responses.ts';

/** State of the rate limit window of a client after one more request. */
export interface WindowState {
  readonly allowed: boolean;
  /** Remaining requests of the window. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

export interface LimiterOptions {
  /** Policy of all clients, or of one client. */
  readonly policy: RatePolicy | ((client: string) => RatePolicy);
  /** Counts one request of a client over all processes. Null if the counter is unavailable. */
  readonly consume: (client: string, policy: RatePolicy) => Promise<WindowState | null>;
  readonly getClient: (request: Request) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns true for limited requests. All requests are limited by default. */
  readonly applies?: (request: Request) => boolean;
  /** Returns true for requests that are counted after the response, and only if the response is an error. */
  readonly countsAfterResponse?: (request: Request) => boolean;
}

/** Rate limiter. Calls `respond`, or responds with 429 itself. */
export type Limiter = (request: Request, respond: () => Promise<Response>) => Promise<Response>;

/** Maximum number of clients over their limit that a process remembers. */
const MAX_REMEMBERED_CLIENTS = 10_000;

/**
 * Creates a rate limiter per client. All processes share the counter. A process remembers clients over their limit, so
 * that their further requests need no database call. If the counter is unavailable, no request is refused. Header
 * fields follow draft-ietf-httpapi-ratelimit-headers-10.
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

/** Values of the rate limit headers. */
interface LimitStatus {
  readonly policy: RatePolicy;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

function createTooManyResponse(request: Request, standing: LimitStatus): Response {
  const { policy, resetSeconds } = standing;
  const detail = `Rate limit exceeded: at most ${policy.limit} requests per ${policy.windowSeconds} seconds from one IP address. Wait ${resetSeconds} seconds.`;
  const problem = createProblem('rate-limited', detail, { instance: getRequestPath(request.url) });
  return createProblemResponse(problem, {
    ...formatLimitHeaders({ ...standing, remaining: 0 }),
    'retry-after': String(resetSeconds),
  });
}

/** Adds the rate limit headers. Both are lists, because several policies can apply to one response. */
function addLimitHeaders(response: Response, standing: LimitStatus): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(formatLimitHeaders(standing))) headers.append(name, value);
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
