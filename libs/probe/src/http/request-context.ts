import { X509Certificate } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { explainNonPublicAddress, isRequestableUrl } from '@touchstone/common';
import { createSecureContexts, type SecureContexts } from '../connection/secure-socket.ts';
import { BAD_TARGET_CODE } from '../outcome/classify-outcome.ts';
import type { ProbeLimits, Resolver, Probe, PhaseTimings } from '../types.ts';

/** Options of a prober and of a sender. */
export interface RequestOptions {
  readonly resolver: Resolver;
  /**
   * Address guard: returns the reason why a connection to an address is forbidden; null for an allowed address. The
   * default allows public addresses only.
   */
  readonly guard?: ((address: string) => string | null) | undefined;
  /**
   * Returns false if no further connection may be opened to an address. Called right before each TCP connection, after
   * the address guard. Trusted addresses are not passed. By default, every connection may be opened.
   */
  readonly mayConnect?: ((address: string, url: URL) => boolean) | undefined;
  /** PEM certificates of authorities that are trusted in addition to the default authorities of Node. */
  readonly ca?: readonly string[] | undefined;
  /** Value of the `User-Agent` header. In production the value contains the URL of a page on how to opt out. */
  readonly userAgent: string;
  /**
   * Returns the current time in milliseconds since the epoch. `Retry-After` dates are compared with this time.
   * Durations are measured with a monotonic clock.
   */
  readonly now?: (() => number) | undefined;
}

/** Settings that are the same for all requests of a prober or a sender. */
export interface RequestContext {
  readonly resolver: Resolver;
  readonly guard: (address: string) => string | null;
  readonly mayConnect: (address: string, url: URL) => boolean;
  readonly secureContexts: SecureContexts;
  readonly userAgent: string;
  readonly limits: ProbeLimits;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
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
 * Creates the settings that all requests of a prober or a sender share.
 *
 * @throws TypeError when the user agent is not a valid header value; an error of OpenSSL when a certificate is not PEM
 */
export function createRequestContext(options: RequestOptions, limits: ProbeLimits): RequestContext {
  validateHeaderValue('User-Agent', options.userAgent);
  const { ca = [] } = options;
  // Checks every certificate, because `createSecureContext` silently ignores malformed certificates. The certificates
  // of all endpoints would then be rejected.
  for (const certificate of ca) new X509Certificate(certificate);
  return {
    resolver: options.resolver,
    guard: options.guard ?? explainNonPublicAddress,
    mayConnect: options.mayConnect ?? (() => true),
    userAgent: options.userAgent,
    limits,
    now: options.now ?? Date.now,
    secureContexts: createSecureContexts(ca),
  };
}

/** Parses a target. Returns null unless the target is an absolute http or https URL with a usable port. */
export function parseTarget(target: string): URL | null {
  const url = URL.parse(target);
  return url !== null && isRequestableUrl(url) ? url : null;
}

/** Values of a probe that received no response. */
export const NO_RESPONSE = {
  httpStatus: null,
  headers: [],
  body: null,
  bodyEnd: null,
  redirects: [],
  interimStatuses: [],
  declaredMethod: null,
  retryAfterSeconds: null,
} as const satisfies Partial<Probe>;

/** Durations of the phases of a request that was not sent. */
export const NO_PHASES: PhaseTimings = {
  resolve: null,
  connect: null,
  tls: null,
  processing: null,
  transfer: null,
};

type UnsentProbe = Pick<Probe, 'url' | 'method' | 'outcome' | 'failure'> & Partial<Probe>;

/** Returns the probe result of a request that was not sent. */
export function createUnsentProbe(probe: UnsentProbe): Probe {
  return { phases: NO_PHASES, latencyMs: null, totalMs: 0, remoteAddress: null, ...NO_RESPONSE, ...probe };
}

/** Returns the probe result of an invalid target. No request can be sent to such a target. */
export function createInvalidTargetProbe(url: string, method = 'GET'): Probe {
  return createUnsentProbe({
    ...{ url, method, outcome: 'protocol-error' },
    failure: {
      phase: 'resolve',
      code: BAD_TARGET_CODE,
      message: 'not an http or https URL with a port that clients accept',
    },
  });
}
