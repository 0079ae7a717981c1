import { isIP } from 'node:net';
import { runWithDeadline } from '../connection/run-with-deadline.ts';
import { ProbeFailure, REFUSED_CODE } from '../outcome/classify-outcome.ts';
import type { DialAddress, Resolver } from '../types.ts';

export interface HostResolution {
  /** Host name or IP address from a URL; an IPv6 address without brackets. */
  readonly host: string;
  readonly resolver: Resolver;
  /** Address guard: returns the reason why a connection to an address is forbidden; null for an allowed address. */
  readonly guard: (address: string) => string | null;
  /** Maximum duration of the lookup, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Looks up the addresses of a host. An IP address is returned without calling the resolver, because a resolver could
 * mark it as trusted.
 */
function lookUp({ host, resolver, timeoutMs }: HostResolution): Promise<readonly DialAddress[]> {
  const family = isIP(host);
  if (family !== 0) return Promise.resolve([{ address: host, family: family === 4 ? 4 : 6 }]);
  const abort = new AbortController();
  const result = runWithDeadline<readonly DialAddress[]>(timeoutMs, ({ resolve, reject }) => {
    resolver(host, abort.signal).then(resolve, reject);
  });
  return result.catch((error: unknown) => {
    abort.abort();
    throw error;
  });
}

function findRefusalReason(candidate: DialAddress, guard: HostResolution['guard']): string | null {
  if (candidate.isTrusted !== true) return guard(candidate.address);
  return isIP(candidate.address) === 0 ? 'not an IP address' : null;
}

/** Maximum number of addresses of a host that are tried. With more, the connection deadline would end the attempts. */
const MAX_ADDRESSES = 16;

/**
 * Alternates between both address families (RFC 8305, section 4). IPv4 comes first, because not every vantage point has
 * IPv6.
 */
function orderAddresses(addresses: readonly DialAddress[]): readonly DialAddress[] {
  const v4 = addresses.filter(({ address }) => isIP(address) === 4);
  const v6 = addresses.filter(({ address }) => isIP(address) === 6);
  const pairs = Array.from({ length: MAX_ADDRESSES }, (_, index) => [v4[index], v6[index]]);
  return pairs
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MAX_ADDRESSES);
}

/**
 * Finds the addresses to connect to for a host. Every returned address passed the address guard or is trusted. The
 * results are IP addresses, so connecting to them causes no further DNS lookup.
 *
 * A host can have public and refused addresses. The refused addresses are left out, and the public addresses are tried:
 * a client on the internet cannot reach the refused addresses either, and connects to the public addresses.
 *
 * @returns at most 16 addresses in the order in which to try them; rejects with the resolver's error, at the deadline,
 * or when every address is refused
 */
export async function resolveHost(resolution: HostResolution): Promise<readonly DialAddress[]> {
  const candidates = await lookUp(resolution);
  if (candidates.length === 0) throw new ProbeFailure('ENODATA', `${resolution.host} has no address`);
  const checked = candidates.map((candidate) => ({
    candidate,
    reason: findRefusalReason(candidate, resolution.guard),
  }));
  const allowed = checked.filter(({ reason }) => reason === null).map(({ candidate }) => candidate);
  const [first] = checked;
  if (allowed.length === 0 && first !== undefined) {
    throw new ProbeFailure(
      REFUSED_CODE,
      `${first.candidate.address} is not a public address: ${first.reason ?? ''}`,
    );
  }
  return orderAddresses(allowed);
}
