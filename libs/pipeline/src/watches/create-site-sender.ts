import { openSandboxClient, type SandboxClient, type Sender } from '@touchstone/probe';
import { createProbeSender, formatUserAgent, type ProbersOptions } from '../create-probers.ts';

export interface SiteSenderOptions extends Pick<ProbersOptions, 'nameServers' | 'allowPrivate'> {
  /** Base URL of the service. The messages have it in their `User-Agent` header. */
  readonly baseUrl: string;
  /** `User-Agent` header of the messages; derived from `baseUrl` by default. */
  readonly userAgent?: string | undefined;
  /**
   * Path of the JSON file that a running sandbox writes on this machine. When it is set, messages are sent only to hosts
   * of the sandbox.
   */
  readonly sandboxFile?: string | undefined;
}

/**
 * Creates the sender of a site: it sends connection tests with the same network settings as the probes of reports. It
 * connects to a sandbox at the first message, because the site may start before the sandbox.
 *
 * @returns a sender that rejects when a sandbox is configured and does not run
 */
export function createSiteSender(options: SiteSenderOptions): Sender {
  const { sandboxFile, baseUrl } = options;
  const userAgent = options.userAgent ?? formatUserAgent(baseUrl);
  if (sandboxFile === undefined) return createProbeSender({ ...options, userAgent });
  let opening: Promise<{ readonly sandbox: SandboxClient; readonly send: Sender }> | undefined;
  const open = async () => {
    const sandbox = await openSandboxClient(sandboxFile);
    return { sandbox, send: createProbeSender({ sandbox, userAgent }) };
  };
  return async (request) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const { sandbox, send } = await opening;
    // The host names of the sandbox can change while it runs. Without a response, the known ones are used.
    await sandbox.refresh().catch(() => undefined);
    return send(request);
  };
}
