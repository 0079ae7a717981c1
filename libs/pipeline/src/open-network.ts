import { openSandboxClient, type SandboxClient, type Sender } from '@touchstone/probe';
import { createProbeSender, formatUserAgent, type ProbersOptions } from './create-probers.ts';

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

/**
 * Creates the sender of a site: it sends connection tests with the same network settings as the probes of reports. It
 * connects to a sandbox at the first message, because the site may start before the sandbox.
 *
 * @returns a sender that rejects when a sandbox is configured and does not run
 */
export function createSiteSender(settings: NetworkSettings): Sender {
  let opening: Promise<{ readonly network: Network; readonly send: Sender }> | undefined;
  const open = async () => {
    const network = await openNetwork(settings);
    return { network, send: createProbeSender(network) };
  };
  return async (request) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const { network, send } = await opening;
    // The host names of the sandbox can change while it runs. Without a response, the known ones are used.
    await network.sandbox?.refresh().catch(() => undefined);
    return send(request);
  };
}
