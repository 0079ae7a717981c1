import {
  createCachedResolver,
  createProber,
  createSender,
  createSystemResolver,
  createTxtResolver,
  openSandboxClient,
  type ProberOptions,
  type RequestOptions,
  type SandboxClient,
  type Sender,
} from '@touchstone/probe';
import { createProofReader, type ProofReader } from './claims/read-proof.ts';
import type { PipelineContext } from './context.ts';
import { createAddressLimit } from './watches/address-limit.ts';
import { createHostAcquirer, processRateLimiter, type HostRateLimiter } from './host-rate-limiter.ts';

export interface ProbersOptions {
  /** `User-Agent` header of the probes. */
  readonly userAgent: string;
  /**
   * Sandbox on this machine. With a sandbox, only the endpoints of the sandbox are probed, and no canaries are used.
   */
  readonly sandbox?: Pick<ProberOptions, 'resolver'> & { readonly ca: string; readonly hostSuffix: string };
  /** Canaries: third-party URLs that respond whenever this machine has a network; no canaries by default. */
  readonly canaryUrls?: readonly string[] | undefined;
  /** DNS servers to use instead of the DNS servers of the operating system, each as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined;
  /**
   * Allows connections to private IP addresses. This setting is for the operator's own network, never for a public
   * service.
   */
  readonly allowPrivate?: boolean | undefined;
  /**
   * Rate limiter for the targets of redirects on other hosts; the rate limiter of this process by default. In a sandbox,
   * no rate is limited.
   */
  readonly rateLimiter?: HostRateLimiter;
  /** Limit for connections to one address; no limit by default, and none in a sandbox. */
  readonly mayConnect?: RequestOptions['mayConnect'];
}

/**
 * Returns the `User-Agent` header of a service. The header contains the base URL, where endpoint operators find an
 * explanation of the probes.
 */
export function formatUserAgent(baseUrl: string): string {
  return `Touchstone/0.1 (+${baseUrl}/)`;
}

/**
 * Creates the probers of a context: one for the endpoints of a sandbox, or two for the public internet and its
 * canaries. On the public internet, the probers connect only to public addresses, unless `allowPrivate` is set.
 */
export function createProbers(
  options: ProbersOptions,
): Pick<PipelineContext, 'prober' | 'canaries' | 'hostSuffix'> {
  const { userAgent, sandbox, canaryUrls = [], rateLimiter = processRateLimiter, mayConnect } = options;
  if (sandbox !== undefined) {
    const { resolver, ca, hostSuffix } = sandbox;
    return { prober: createProber({ resolver, ca: [ca], userAgent }), hostSuffix };
  }
  const { resolver, guard } = createPublicAccess(options);
  return {
    prober: createProber({
      ...{ resolver: createCachedResolver(resolver), guard, userAgent, mayConnect },
      acquireHost: createHostAcquirer(rateLimiter),
    }),
    canaries: { urls: canaryUrls, prober: createProber({ resolver, guard, userAgent }) },
    hostSuffix: null,
  };
}

/**
 * Creates the sender of the messages of watches. The sender resolves names and guards addresses like the probers with
 * the same options.
 *
 * @param mayConnect limit for connections to one address; no limit by default
 */
export function createProbeSender(
  options: ProbersOptions,
  mayConnect?: RequestOptions['mayConnect'],
): Sender {
  const { userAgent, sandbox } = options;
  if (sandbox !== undefined) return createSender({ resolver: sandbox.resolver, ca: [sandbox.ca], userAgent });
  const { resolver, guard } = createPublicAccess(options);
  return createSender({ resolver: createCachedResolver(resolver), guard, userAgent, mayConnect });
}

/** Creates the reader of the proofs of claims for a job. A sandbox has no DNS, so only files are read there. */
export function createJobProofReader(options: ProbersOptions): ProofReader {
  return createProofReader(
    createProbeSender(options),
    openTxtResolver(options, options.sandbox !== undefined),
  );
}

function openTxtResolver({ nameServers }: Pick<ProbersOptions, 'nameServers'>, isSandbox: boolean) {
  return isSandbox ? undefined : createTxtResolver({ servers: nameServers });
}

function createPublicAccess({ nameServers, allowPrivate = false }: ProbersOptions) {
  const resolver = createSystemResolver({ servers: nameServers });
  return { resolver, guard: allowPrivate ? () => null : undefined };
}

/**
 * Network settings of a site. The reports and connection tests of the site, and the jobs that Inngest runs in the site,
 * use the same settings.
 */
export interface NetworkSettings extends Omit<ProbersOptions, 'userAgent' | 'sandbox'> {
  /** Base URL of the service, which the `User-Agent` header of probes and watch messages contains. */
  readonly baseUrl: string;
  /** `User-Agent` header of probes and messages; derived from `baseUrl` by default. */
  readonly userAgent?: string | undefined;
  /**
   * Path of the JSON file that a running sandbox writes on this machine. With this file, requests go to the hosts of
   * the sandbox only.
   */
  readonly sandboxFile?: string | undefined;
}

/** Options of probers and senders, with the client of a configured sandbox. */
export interface Network extends ProbersOptions {
  readonly sandbox?: SandboxClient;
}

/**
 * Opens the network of a site: the sandbox of this machine, or the public internet.
 *
 * @throws SandboxNotRunningError when a sandbox is configured and does not run
 */
export async function openNetwork(settings: NetworkSettings): Promise<Network> {
  const { baseUrl, userAgent = formatUserAgent(baseUrl), sandboxFile, ...options } = settings;
  if (sandboxFile === undefined) return { ...options, userAgent };
  return { ...options, userAgent, sandbox: await openSandboxClient(sandboxFile) };
}

/**
 * Creates the sender of connection tests for a site. The sender has the same network settings as the probes of reports,
 * and limits the connections to one address. The sender connects to a sandbox at the first message, because the site may
 * start before the sandbox.
 *
 * @returns a sender that rejects when a sandbox is configured and does not run
 */
export function createSiteSender(settings: NetworkSettings, now: () => number = Date.now): Sender {
  const mayConnect = createAddressLimit(now);
  let opening: Promise<{ readonly network: Network; readonly send: Sender }> | undefined;
  const open = async () => {
    const network = await openNetwork(settings);
    return { network, send: createProbeSender(network, mayConnect) };
  };
  return async (request) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const { network, send } = await opening;
    // The host names of a sandbox can change while the sandbox runs. If the sandbox does not respond, the known host
    // names are used.
    await network.sandbox?.refresh().catch(() => undefined);
    return send(request);
  };
}

/** Creates the reader of the proofs of claims for a site; see `createSiteSender`. */
export function createSiteProofReader(settings: NetworkSettings): ProofReader {
  return createProofReader(
    createSiteSender(settings),
    openTxtResolver(settings, settings.sandboxFile !== undefined),
  );
}
