import { openSandboxClient, type SandboxClient } from '@touchstone/probe';
import { formatUserAgent, type ProbersOptions } from './create-probers.ts';

/**
 * Network settings of a site. Its reports, its connection tests and the jobs that Inngest runs in it all use the same
 * settings.
 */
export interface NetworkSettings extends Omit<ProbersOptions, 'userAgent' | 'sandbox'> {
  /** Base URL of the service. The `User-Agent` header of probes and watch messages contains it. */
  readonly baseUrl: string;
  /** `User-Agent` header of probes and messages; derived from `baseUrl` by default. */
  readonly userAgent?: string | undefined;
  /**
   * Path of the JSON file that a running sandbox writes on this machine. When it is set, requests go to the hosts of the
   * sandbox only.
   */
  readonly sandboxFile?: string | undefined;
}

/** Options of probers and senders, with the client of the sandbox if there is one. */
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
