import {
  createCachedResolver,
  createProber,
  createSystemResolver,
  type ProberOptions,
} from '@touchstone/probe';
import type { PipelineContext } from './context.ts';

export interface ProbersOptions {
  /** `User-Agent` header of the probes. */
  readonly userAgent: string;
  /** Sandbox on this machine. With it only the endpoints of the sandbox are probed, without canaries. */
  readonly sandbox?: Pick<ProberOptions, 'resolver'> & { readonly ca: string; readonly hostSuffix: string };
  /** Third-party URLs that respond whenever this machine has a network; none by default. */
  readonly canaryUrls?: readonly string[] | undefined;
  /** Name servers to use instead of the system's, as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined;
  /** Allows connections to private addresses. Only for an operator's own network, never for a public service. */
  readonly allowPrivate?: boolean | undefined;
}

/** Timeout of a DNS lookup. */
const RESOLVE_TIMEOUT_MS = 4_000;

/** Returns the `User-Agent` header of the service at a base URL. Endpoint operators find an explanation there. */
export function formatUserAgent(baseUrl: string): string {
  return `Touchstone/0.1 (+${baseUrl}/)`;
}

/**
 * Creates the probers of a context: for the endpoints of a sandbox, or for the public internet and its canaries. On the
 * public internet only public addresses are dialled, unless `allowPrivate` is set.
 */
export function createProbers(
  options: ProbersOptions,
): Pick<PipelineContext, 'prober' | 'canaries' | 'hostSuffix'> {
  const { userAgent, sandbox, canaryUrls = [], nameServers, allowPrivate = false } = options;
  if (sandbox !== undefined) {
    const { resolver, ca, hostSuffix } = sandbox;
    return { prober: createProber({ resolver, ca: [ca], userAgent }), hostSuffix };
  }
  const resolver = createSystemResolver({ timeoutMs: RESOLVE_TIMEOUT_MS, servers: nameServers });
  const guard = allowPrivate ? () => null : undefined;
  return {
    prober: createProber({ resolver: createCachedResolver(resolver), guard, userAgent }),
    canaries: { urls: canaryUrls, prober: createProber({ resolver, guard, userAgent }) },
    hostSuffix: null,
  };
}
