import { createProblem, type RatePolicy } from '@touchstone/contract';
import { createLru } from '../lru.ts';
import { createProblemResponse } from './responses.ts';
import { pathOf } from './path-of.ts';

/** How a client stands after it asked once more. */
export interface Taken {
  readonly allowed: boolean;
  /** What is left of its window. */
  readonly remaining: number;
  /** When its window ends, milliseconds since the epoch. */
  readonly resetsAt: number;
}

export interface LimiterOptions {
  readonly policy: RatePolicy | ((client: string) => RatePolicy);
  /** Counts one request of a client over all processes; null when the counter cannot be asked. */
  readonly take: (client: string, policy: RatePolicy) => Promise<Taken | null>;
  readonly clientOf: (request: Request) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a request is bounded at all; every one unless given. */
  readonly applies?: (request: Request) => boolean;
  /** Whether a request is counted by how it was answered rather than before it is. */
  readonly countsAfter?: (request: Request) => boolean;
}

/** Answers a request, or refuses it where its client asked too often. */
export type Limiter = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

const MOST_REMEMBERED = 10_000;

/**
 * Bounds how often each client asks. The count is shared by all processes; that a client has used up its window is
 * remembered in this one, so that asking on costs nothing. When the counter cannot be asked, everybody is let through.
 * The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clientOf, now, applies = () => true, countsAfter = () => false } = options;
  const policyOf = (client: string): RatePolicy =>
    typeof options.policy === 'function' ? options.policy(client) : options.policy;
  const exhausted = createLru<Taken>(MOST_REMEMBERED, () => 1);
  const count = async (client: string): Promise<Taken | null> => {
    const taken = await options.take(client, policyOf(client));
    if (taken?.allowed === false) exhausted.set(client, taken);
    return taken;
  };
  const stand = (client: string, { remaining, resetsAt }: Taken): Standing => ({
    policy: policyOf(client),
    remaining: Math.max(0, remaining),
    resetSeconds: Math.max(1, Math.ceil((resetsAt - now()) / 1000)),
  });
  return async (request, answer) => {
    if (!applies(request)) return answer();
    const client = clientOf(request);
    const known = exhausted.get(client);
    if (known !== undefined && known.resetsAt > now()) return tooMany(request, stand(client, known));
    if (!countsAfter(request)) {
      const taken = await count(client);
      if (taken?.allowed === false) return tooMany(request, stand(client, taken));
      const response = await answer();
      return taken === null ? response : withLimits(response, stand(client, taken));
    }
    const response = await answer();
    if (response.ok) return response;
    const taken = await count(client);
    return taken === null ? response : withLimits(response, stand(client, taken));
  };
}

interface Standing {
  readonly policy: RatePolicy;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

function tooMany(request: Request, standing: Standing): Response {
  const { policy, resetSeconds } = standing;
  const detail = `At most ${policy.limit} such requests in ${policy.windowSeconds} seconds are answered to one address. Wait ${resetSeconds} seconds.`;
  const problem = createProblem('rate-limited', detail, { instance: pathOf(request.url) });
  return createProblemResponse(problem, {
    ...limitHeaders({ ...standing, remaining: 0 }),
    'retry-after': String(resetSeconds),
  });
}

/** Both headers are lists: an answer that several policies bound says how its client stands with each. */
function withLimits(response: Response, standing: Standing): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(limitHeaders(standing))) headers.append(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

function limitHeaders({ policy, remaining, resetSeconds }: Standing): Readonly<Record<string, string>> {
  const { name, limit, windowSeconds } = policy;
  return {
    'ratelimit-policy': `"${name}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
