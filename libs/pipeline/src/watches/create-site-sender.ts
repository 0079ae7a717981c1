import type { Sender } from '@touchstone/probe';
import { createProbeSender } from '../create-probers.ts';
import { openNetwork, type Network, type NetworkSettings } from '../open-network.ts';

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
