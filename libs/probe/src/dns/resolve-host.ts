import { isIP } from 'node:net';
import { ProbeFailure, REFUSED_CODE } from '../outcome/failure.ts';
import { runWithDeadline } from '../connection/run-with-deadline.ts';
import type { DialAddress, Resolver } from '../types.ts';

export interface HostResolution {
  /** A host as a URL has it, an IPv6 literal without its brackets. */
  readonly host: string;
  readonly resolver: Resolver;
  /** Says why an address must not be dialled, or null. */
  readonly guard: (address: string) => string | null;
  readonly ms: number;
}

/** A literal address is its own answer: no resolver sees it, and no operator's map can vouch for it. */
function lookUp({ host, resolver, ms }: HostResolution): Promise<readonly DialAddress[]> {
  const family = isIP(host);
  if (family !== 0) return Promise.resolve([{ address: host, family: family === 4 ? 4 : 6 }]);
  const abort = new AbortController();
  const answer = runWithDeadline<readonly DialAddress[]>(ms, ({ done, fail }) => {
    resolver(host, abort.signal).then(done, fail);
  });
  return answer.catch((error: unknown) => {
    abort.abort();
    throw error;
  });
}

function refusal(candidate: DialAddress, guard: HostResolution['guard']): string | null {
  if (candidate.isTrusted !== true) return guard(candidate.address);
  return isIP(candidate.address) === 0 ? 'not an IP address' : null;
}

/**
 * At most two addresses, version 4 first because not every vantage point has version 6, and one of each where
 * there are both.
 */
function choose(addresses: readonly DialAddress[]): readonly DialAddress[] {
  const v4 = addresses.filter(({ address }) => isIP(address) === 4);
  const v6 = addresses.filter(({ address }) => isIP(address) === 6);
  return v4.length > 0 && v6.length > 0 ? [...v4.slice(0, 1), ...v6.slice(0, 1)] : [...v4, ...v6].slice(0, 2);
}

/**
 * Finds the addresses that may be dialled for a host. What is returned has passed the guard or is vouched for,
 * and is an IP address, so dialling it asks no name server again.
 *
 * @returns One or two addresses. Rejects with the resolver's error, at the deadline, or when none is left.
 */
export async function resolveHost(resolution: HostResolution): Promise<readonly DialAddress[]> {
  const found = await lookUp(resolution);
  if (found.length === 0) throw new ProbeFailure('ENODATA', `${resolution.host} has no address`);
  const judged = found.map((candidate) => ({ candidate, reason: refusal(candidate, resolution.guard) }));
  const admitted = judged.filter(({ reason }) => reason === null).map(({ candidate }) => candidate);
  const [worst] = judged;
  if (admitted.length === 0 && worst !== undefined) {
    throw new ProbeFailure(REFUSED_CODE, `${worst.candidate.address} is not dialled: ${worst.reason}`);
  }
  return choose(admitted);
}
