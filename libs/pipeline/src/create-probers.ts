import {
  createCachedResolver,
  createProber,
  createSender,
  createSystemResolver,
  type ProberOptions,
  type Sender,
} from '@touchstone/probe';
import type { PipelineContext } from './context.ts';

export interface ProbersOptions {
  /** `User-Agent` header of the probes. */
  readonly userAgent: string;
  /**
   * Sandbox on this machine. When it is set, only the endpoints of the sandbox are probed, and no canaries are used.
   */
  readonly sandbox?: Pick<ProberOptions, 'resolver'> & { readonly ca: string; readonly hostSuffix: string };
  /** Canaries: third-party URLs that respond whenever this machine has a network; none by default. */
  readonly canaryUrls?: readonly string[] | undefined;
  /** DNS servers that replace those of the operating system, each as `address` or `address:port`; none by default. */
  readonly nameServers?: readonly string[] | undefined;
  /**
   * Allows connections to private IP addresses. Set it only in an operator's own network, never for a public service.
   */
  readonly allowPrivate?: boolean | undefined;
}

/** Timeout of a DNS lookup. */
const RESOLVE_TIMEOUT_MS = 4_000;

/**
 * Returns the `User-Agent` header of a service. The header contains the base URL, where endpoint operators find an
 * explanation of the probes.
 */
export function formatUserAgent(baseUrl: string): string {
  return `Touchstone/0.1 (+${baseUrl}/)`;
}

/**
 * Creates the probers of a context: one for the endpoints of a sandbox, or two for the public internet and its
 * canaries. On the public internet they connect to public addresses only, unless `allowPrivate` is set.
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

/**
 * Creates the sender of the messages of watches. It resolves names and guards addresses like the probers with the same
 * options.
 */
export function createProbeSender({
  userAgent,
  sandbox,
  nameServers,
  allowPrivate = false,
}: ProbersOptions): Sender {
  if (sandbox !== undefined) return createSender({ resolver: sandbox.resolver, ca: [sandbox.ca], userAgent });
  const resolver = createSystemResolver({ timeoutMs: RESOLVE_TIMEOUT_MS, servers: nameServers });
  const guard = allowPrivate ? () => null : undefined;
  return createSender({ resolver: createCachedResolver(resolver), guard, userAgent });
}
