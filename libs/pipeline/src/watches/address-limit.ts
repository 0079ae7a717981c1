import { MINUTE_MS, toNetwork } from '@touchstone/common';
import { isSharedChat } from '@touchstone/watch';
import { createPauses } from '../pauses.ts';

/** Number of connections of connection tests to one address within a minute, after which the address is paused. */
export const MAX_CONNECTIONS_PER_ADDRESS = 60;

/**
 * Creates a limit for the connections of this process to one IPv4 address or one IPv6 /64 network. The name of the host does not matter, because one address can have any number of names. Slack and Discord
 * are not limited, because all their users share the same addresses.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 * @param maxEvents number of connections within a minute after which the address is paused for a minute
 * @returns function that counts a connection; false if the connection must not be opened
 */
export function createAddressLimit(
  now: () => number,
  maxEvents: number = MAX_CONNECTIONS_PER_ADDRESS,
): (address: string, url: URL) => boolean {
  const pauses = createPauses({ maxEvents, durationMs: MINUTE_MS, now });
  return (address, url) => {
    if (isSharedChat(url.href)) return true;
    const network = toNetwork(address) ?? address;
    if (pauses.getSeconds(network) !== null) return false;
    pauses.record(network);
    return true;
  };
}
