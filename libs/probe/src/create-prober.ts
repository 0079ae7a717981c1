import { X509Certificate } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { createSecureContext, rootCertificates } from 'node:tls';
import { BAD_TARGET_CODE } from './outcome/failure.ts';
import { chooseProbe } from './outcome/choose-probe.ts';
import { refuseAddress } from './dns/refuse-address.ts';
import { requestOnce } from './http/request-once.ts';
import type { ProbeContext } from './http/request-once.ts';
import type { Probe, ProbeLimits, Prober, ProbeTarget, Resolver } from './types.ts';

export interface ProberOptions {
  readonly resolver: Resolver;
  /** Says why an address must not be dialled, or null; the public-network guard unless given. */
  readonly guard?: ((address: string) => string | null) | undefined;
  /** PEM certificates of authorities to trust besides Node's own. */
  readonly ca?: readonly string[] | undefined;
  /** Who is asking, with a page that explains and offers a way out. */
  readonly userAgent: string;
  readonly limits?: Partial<ProbeLimits> | undefined;
  /** Milliseconds since the epoch, to read dates in answers by; durations never use it. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds for each phase and for all; bytes of the header section and of the decoded body. */
export const DEFAULT_LIMITS: ProbeLimits = {
  resolveMs: 4_000,
  connectMs: 4_000,
  tlsMs: 4_000,
  firstByteMs: 8_000,
  totalMs: 10_000,
  headerBytes: 64 * 1024,
  bodyBytes: 256 * 1024,
};

/** CONNECT and TRACE mean something else than asking for a resource, and HEAD is not what a payer sends. */
const SUPPORTED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The answer is about the method, or about the bare request: another method may be the paid one. */
const NEXT_METHOD_STATUSES: ReadonlySet<number | null> = new Set([400, 404, 405, 415, 422, 501]);

/** A curve order without post-quantum shares keeps the first flight in one packet and a tenth of the time. */
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
      message: 'not an http or https URL that can be dialled',
    },
  };
}

async function probe(target: ProbeTarget, tools: ProbeContext): Promise<Probe> {
  const url = parseTarget(target.url);
  if (url === null) return createInvalidTargetProbe(target);
  const asked = target.methods.map((method) => method.toUpperCase());
  const usable = [...new Set(asked)].filter((method) => SUPPORTED_METHODS.has(method));
  const methods = usable.length > 0 ? usable : ['GET'];
  const startedAt = performance.now();
  let told: Probe | null = null;
  for (const method of methods) {
    const totalMs = tools.limits.totalMs - (performance.now() - startedAt);
    // With less than half of the time a timeout would say more about our haste than about the endpoint.
    if (told !== null && totalMs < tools.limits.totalMs / 2) break;
    const next = await requestOnce({ target: target.url, url, method, totalMs }, tools);
    told = told === null ? next : chooseProbe(told, next);
    // Who asks for a pause is not asked by another method in the same breath.
    if (!NEXT_METHOD_STATUSES.has(next.httpStatus) || next.retryAfterSeconds !== null) break;
  }
  return told ?? createInvalidTargetProbe(target);
}

/**
 * Makes a prober that sends unpaid requests to endpoints nobody vouches for.
 *
 * A host is resolved by the given resolver, every address is judged by the guard, and exactly the judged address
 * is dialled, with the host of the URL in `Host` and in the server name. Each request has a connection of its own:
 * no keep-alive, no session reuse, no redirects. The methods of a target are tried in order while the answer is
 * 404, 405, 501, 400, 415 or 422 without a `Retry-After` and at least half of the time is left; the one that is challenged is reported,
 * else the most telling one, with its own timings.
 *
 * @param options - `limits` in milliseconds and bytes replace single defaults: 4 s each to resolve, connect and
 * shake hands, 8 s to the first byte, 10 s for all; 64 KiB of header, 256 KiB of decoded body.
 * @returns A function that never rejects.
 * @throws TypeError when the user agent is not a header value; OpenSSL's error when a certificate is not PEM.
 */
export function createProber(options: ProberOptions): Prober {
  validateHeaderValue('User-Agent', options.userAgent);
  const { ca = [] } = options;
  // A secure context passes over what it cannot read, and every endpoint would look untrusted.
  for (const certificate of ca) new X509Certificate(certificate);
  const tools: ProbeContext = {
    resolver: options.resolver,
    guard: options.guard ?? refuseAddress,
    userAgent: options.userAgent,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    now: options.now ?? Date.now,
    secureContext: createSecureContext({
      ecdhCurve: ECDH_CURVES,
      ...(ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] }),
    }),
  };
  return (target) => probe(target, tools);
}
