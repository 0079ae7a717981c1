import { X509Certificate } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { createSecureContext, rootCertificates } from 'node:tls';
import { explainNonPublicAddress } from '@touchstone/common';
import { requestOnce } from './http/request-once.ts';
import type { ProbeContext } from './http/request-once.ts';
import { chooseProbe } from './outcome/choose-probe.ts';
import { BAD_TARGET_CODE } from './outcome/failure.ts';
import type { Probe, ProbeLimits, Prober, ProbeTarget, Resolver } from './types.ts';

export interface ProberOptions {
  readonly resolver: Resolver;
  /**
   * Address guard: returns the reason why an address must not be connected to; null when it may. The default allows
   * public addresses only.
   */
  readonly guard?: ((address: string) => string | null) | undefined;
  /** PEM certificates of authorities that are trusted in addition to the default authorities of Node. */
  readonly ca?: readonly string[] | undefined;
  /** Value of the `User-Agent` header. In production it contains the URL of a page that explains how to opt out. */
  readonly userAgent: string;
  readonly limits?: Partial<ProbeLimits> | undefined;
  /**
   * Returns the current time in milliseconds since the epoch, to which `Retry-After` dates are compared. Durations are
   * measured with a monotonic clock.
   */
  readonly now?: (() => number) | undefined;
}

/** Default limits of a probe, in milliseconds and bytes. */
export const DEFAULT_LIMITS: ProbeLimits = {
  resolveMs: 4_000,
  connectMs: 4_000,
  tlsMs: 4_000,
  firstByteMs: 8_000,
  totalMs: 10_000,
  headerBytes: 64 * 1024,
  bodyBytes: 256 * 1024,
};

/**
 * Methods that a probe may use. CONNECT and TRACE are excluded because they do not request a resource, and HEAD because
 * payers do not send it.
 */
const SUPPORTED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Statuses that reject the method or the missing input. After one of them, the next method is tried, because that
 * method may be the paid one.
 */
const NEXT_METHOD_STATUSES: ReadonlySet<number | null> = new Set([400, 404, 405, 415, 422, 501]);

/**
 * Excludes post-quantum key shares, so that the first TLS message fits in one packet and needs a tenth of the processor
 * time.
 */
const ECDH_CURVES = 'X25519:P-256:P-384:P-521';

function parseTarget(target: string): URL | null {
  const url = URL.parse(target);
  if (url === null || url.port === '0') return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function createInvalidTargetProbe(target: ProbeTarget): Probe {
  return {
    url: target.url,
    method: target.methods[0] ?? 'GET',
    outcome: 'protocol-error',
    httpStatus: null,
    phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
    latencyMs: null,
    totalMs: 0,
    headers: [],
    body: null,
    bodyTruncated: false,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: {
      phase: 'resolve',
      code: BAD_TARGET_CODE,
      message: 'not an http or https URL with a usable port',
    },
  };
}

function selectMethods(target: ProbeTarget): readonly string[] {
  const requested = target.methods.map((method) => method.toUpperCase());
  const supported = [...new Set(requested)].filter((method) => SUPPORTED_METHODS.has(method));
  return supported.length > 0 ? supported : ['GET'];
}

async function probe(target: ProbeTarget, context: ProbeContext): Promise<Probe> {
  const url = parseTarget(target.url);
  if (url === null) return createInvalidTargetProbe(target);
  const startedAt = performance.now();
  let best: Probe | null = null;
  for (const method of selectMethods(target)) {
    const totalMs = context.limits.totalMs - (performance.now() - startedAt);
    // No further method is tried with less than half of the time left, because the short deadline alone could cause a
    // timeout.
    if (best !== null && totalMs < context.limits.totalMs / 2) break;
    const next = await requestOnce({ target: target.url, url, method, totalMs }, context);
    best = best === null ? next : chooseProbe(best, next);
    // No second request is sent to a server that requests a pause with `Retry-After`.
    if (!NEXT_METHOD_STATUSES.has(next.httpStatus) || next.retryAfterSeconds !== null) break;
  }
  return best ?? createInvalidTargetProbe(target);
}

/**
 * Creates a prober that sends unpaid requests to untrusted endpoints.
 *
 * The resolver returns the addresses of the host. The address guard checks them, and the prober connects only to an
 * address that passed. The host of the URL is sent as `Host` header and TLS server name. Each request has a new
 * connection without keep-alive or TLS session reuse. Redirects are not followed.
 *
 * The methods of a target are tried in order. The next method is tried after status 400, 404, 405, 415, 422 or 501, but
 * not after a `Retry-After` header or with less than half of the time left. The result is the request that received a
 * challenge (status 402) or, without one, the most informative request.
 *
 * @param options `limits` replaces single values of `DEFAULT_LIMITS`
 * @returns a function that never rejects
 * @throws TypeError when the user agent is not a valid header value; an error of OpenSSL when a certificate is not PEM
 */
export function createProber(options: ProberOptions): Prober {
  validateHeaderValue('User-Agent', options.userAgent);
  const { ca = [] } = options;
  // Checks every certificate, because `createSecureContext` silently ignores malformed ones. The certificates of all
  // endpoints would then be rejected.
  for (const certificate of ca) new X509Certificate(certificate);
  const context: ProbeContext = {
    resolver: options.resolver,
    guard: options.guard ?? explainNonPublicAddress,
    userAgent: options.userAgent,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    now: options.now ?? Date.now,
    secureContext: createSecureContext({
      ecdhCurve: ECDH_CURVES,
      ...(ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] }),
    }),
  };
  return (target) => probe(target, context);
}
