import {
  createRequestContext,
  DEFAULT_LIMITS,
  type RequestContext,
  type RequestOptions,
  createInvalidTargetProbe,
  parseTarget,
} from './http/request-context.ts';
import { requestChain } from './http/request-chain.ts';
import { isMoreInformative } from './outcome/classify-outcome.ts';
import type { Probe, ProbeLimits, Prober, ProbeTarget } from './types.ts';

/**
 * Function that waits until a request to a host may start. Resolves to false when the request must not be sent, also
 * after the signal was aborted.
 */
export type AcquireHost = (request: {
  /** Host name as in a URL, without port. */
  readonly host: string;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}) => Promise<boolean>;

export interface ProberOptions extends RequestOptions {
  readonly limits?: Partial<ProbeLimits> | undefined;
  /**
   * Called before a redirect to another host is followed. Without this function, a request to the other host starts
   * immediately. With the rate limiter of the probed hosts, redirects cannot exceed the rate of any host.
   */
  readonly acquireHost?: AcquireHost | undefined;
}

/**
 * Methods that a probe may use. CONNECT and TRACE are excluded because they request no resource, and HEAD because
 * payers send no HEAD requests.
 */
const SUPPORTED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Statuses that reject the method or the missing input. After such a status, the next method is tried, because the
 * endpoint may request payment only for the next method. Servers with POST only also respond to GET with 406, 409, 410,
 * 411, 412, 426 and 428, and with 500 when their handler fails without a body.
 */
const NEXT_METHOD_STATUSES: ReadonlySet<number | null> = new Set([
  ...[400, 404, 405, 406, 409, 410, 411, 412, 415, 422, 426, 428, 500, 501],
]);

function selectMethods(target: ProbeTarget): readonly string[] {
  const requested = target.methods.map((method) => method.toUpperCase());
  const supported = [...new Set(requested)].filter((method) => SUPPORTED_METHODS.has(method));
  return supported.length > 0 ? supported : ['GET'];
}

/**
 * Number of requests after which no further method is tried. A method can take `MAX_REDIRECTS` + 1 requests, so a probe
 * sends at most 8 requests.
 */
const MAX_REQUESTS_BEFORE_METHOD = 5;

/**
 * Maximum time for which a probe waits until requests to the hosts of redirect targets may start, in milliseconds. The
 * number of probes in progress is limited, so a waiting probe delays other probes.
 */
const MAX_HOST_WAIT_MS = 1_000;

/**
 * Creates a function that waits until a request to a host may start. All calls together wait for at most
 * `MAX_HOST_WAIT_MS`. The function waits only once for each host, because only the first request of a probe to a host
 * counts for the rate limit.
 */
function createLimitedAcquirer({ isUrgent = false }: ProbeTarget, acquireHost: AcquireHost) {
  let remainingMs = MAX_HOST_WAIT_MS;
  const allowed = new Set<string>();
  return async (host: string): Promise<boolean> => {
    if (allowed.has(host)) return true;
    const startedAt = performance.now();
    // Timers of Node need whole, positive milliseconds.
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(remainingMs)));
    const isAllowed = await acquireHost({ host, isUrgent, signal });
    remainingMs -= performance.now() - startedAt;
    if (isAllowed) allowed.add(host);
    return isAllowed;
  };
}

async function probe(target: ProbeTarget, context: RequestContext, acquireHost: AcquireHost): Promise<Probe> {
  const url = parseTarget(target.url);
  if (url === null) return createInvalidTargetProbe(target.url, target.methods[0]);
  const acquire = createLimitedAcquirer(target, acquireHost);
  let remainingMs = context.limits.totalMs;
  let requestCount = 0;
  const request = async (method: string): Promise<Probe> => {
    const latest = await requestChain(
      { target: target.url, url, method, totalMs: remainingMs, readsTls: target.readsTls },
      context,
      acquire,
    );
    remainingMs -= latest.totalMs;
    requestCount += 1 + latest.redirects.length;
    return latest;
  };
  // No further request is sent to a server that requests a pause with `Retry-After`, and none when less than half of the
  // time is left. The short remaining time alone could cause a timeout.
  const mayContinue = ({ retryAfterSeconds }: Probe): boolean =>
    retryAfterSeconds === null &&
    remainingMs >= context.limits.totalMs / 2 &&
    requestCount < MAX_REQUESTS_BEFORE_METHOD;
  const probes: Probe[] = [];
  for (const method of selectMethods(target)) {
    const latest = await request(method);
    probes.push(latest);
    if (!NEXT_METHOD_STATUSES.has(latest.httpStatus) || !mayContinue(latest)) break;
  }
  const best = probes.reduce(chooseProbe);
  const declared = readOtherMethod(best, target);
  if (declared === null) return best;
  const known = probes.find(({ method }) => method === declared);
  if (known !== undefined) return addDeclared(best, known);
  return mayContinue(best) ? addDeclared(best, await request(declared)) : best;
}

/** Returns the method that a challenge declares, if it is another one than the method of the challenge; null otherwise. */
function readOtherMethod(challenged: Probe, { readDeclaredMethod }: ProbeTarget): string | null {
  if (challenged.outcome !== 'challenged') return null;
  const declared = readDeclaredMethod?.(challenged)?.toUpperCase() ?? '';
  return SUPPORTED_METHODS.has(declared) && declared !== challenged.method ? declared : null;
}

/** Returns the probe of the declared method if it was challenged, else the challenge with the other status. */
function addDeclared(challenged: Probe, declared: Probe): Probe {
  if (declared.outcome === 'challenged') return declared;
  if (declared.outcome === 'self-failure') return challenged;
  return { ...challenged, declaredMethod: { method: declared.method, status: declared.httpStatus } };
}

/**
 * Creates a prober that sends unpaid requests to untrusted endpoints.
 *
 * The resolver returns the addresses of the host. The address guard checks these addresses, and the prober connects
 * only to an address that passed. The host of the URL is sent as `Host` header and TLS server name. Each request has a
 * new connection without keep-alive or TLS session reuse. At most 3 redirects are followed as the Fetch standard follows
 * them, and each target passes the same checks. A redirect from https to http is not followed.
 *
 * The methods of a target are tried in the given order. The next method is tried after a status that rejects the method
 * or the missing input, but not after a `Retry-After` header or with less than half of the time left. The result is the
 * request that received a challenge (status 402) or, without a challenge, the most informative request. If the challenge
 * declares another method, this method is requested, too. Its challenge is then the result.
 *
 * @param options `limits` replaces single values of `DEFAULT_LIMITS`
 * @returns a function that never rejects
 * @throws TypeError when the user agent is not a valid header value; an error of OpenSSL when a certificate is not PEM
 */
export function createProber(options: ProberOptions): Prober {
  const context = createRequestContext(options, { ...DEFAULT_LIMITS, ...options.limits });
  const { acquireHost = () => Promise.resolve(true) } = options;
  return (target) => probe(target, context, acquireHost);
}

/**
 * Returns the more informative of two probes of one endpoint. When both have the same outcome, returns the earlier
 * probe. Only a challenge replaces a status 500, because a refusal of the next method would hide an outage.
 */
function chooseProbe(earlier: Probe, later: Probe): Probe {
  if (earlier.httpStatus === 500 && later.outcome !== 'challenged') return earlier;
  return isMoreInformative(later.outcome, earlier.outcome) ? later : earlier;
}
