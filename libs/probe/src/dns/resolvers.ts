import { Resolver as DnsResolver } from 'node:dns/promises';
import { ProbeFailure } from '../outcome/classify-outcome.ts';
import type { DialAddress, Resolver } from '../types.ts';

const DEFAULT_TIMEOUT_MS = 4_000;

export interface SystemResolverOptions {
  /** Maximum duration of one lookup including its retry, in milliseconds. The default is 4,000. */
  readonly timeoutMs?: number;
  /** Name servers as `address` or `address:port`; by default the name servers of the system. */
  readonly servers?: readonly string[] | undefined;
}

function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new ProbeFailure('ETIMEOUT', 'the name servers did not respond in time'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

type LookupResult = PromiseSettledResult<readonly DialAddress[]>;

/**
 * Returns the more informative of the errors of both queries. ENODATA is less informative, because a host without an
 * address of one family is normal.
 */
function chooseError(results: readonly LookupResult[]): unknown {
  const errors: unknown[] = results.flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  const informative = errors.find(
    (error) => !(error instanceof Error && 'code' in error && error.code === 'ENODATA'),
  );
  return informative ?? errors[0];
}

function getAddresses(results: readonly LookupResult[]): readonly DialAddress[] {
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/**
 * Maximum wait for the IPv6 addresses of a host after its IPv4 addresses have arrived, in milliseconds. Both queries
 * start together, so the wait ends earlier unless the name servers ignore IPv6 queries. Stock clients wait for seconds
 * then. RFC 8305, section 3, recommends 50 ms, which is too short for a host whose IPv4 addresses are dead and whose
 * name servers are far away.
 */
const IPV6_DELAY_MS = 250;

function waitForIPv6(): Promise<readonly LookupResult[]> {
  return new Promise((resolve) => setTimeout(resolve, IPV6_DELAY_MS, []).unref());
}

/**
 * Creates a resolver that queries the name servers directly. `dns.lookup` is not used, because all lookups share a pool
 * of four threads: a few unresponsive name servers would delay every other probe, and the measured time would include
 * the wait for a thread. IPv6 addresses that arrive 250 ms after the IPv4 addresses are left out.
 *
 * @returns a resolver that rejects with the error codes of c-ares, and with `ETIMEOUT` after `timeoutMs` milliseconds
 */
export function createSystemResolver({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  servers,
}: SystemResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  if (servers !== undefined) dns.setServers(servers);
  const query = async (hostname: string, family: 4 | 6): Promise<readonly DialAddress[]> => {
    const addresses = await (family === 4 ? dns.resolve4(hostname) : dns.resolve6(hostname));
    return addresses.map((address) => ({ address, family }));
  };
  const queryBoth = async (hostname: string): Promise<readonly DialAddress[]> => {
    const v6 = Promise.allSettled([query(hostname, 6)]);
    const v4 = await Promise.allSettled([query(hostname, 4)]);
    const v6InTime = getAddresses(v4).length === 0 ? v6 : Promise.race([v6, waitForIPv6()]);
    const results = [...v4, ...(await v6InTime)];
    const addresses = getAddresses(results);
    if (addresses.length === 0) throw chooseError(results);
    return addresses;
  };
  return (hostname, signal) =>
    rejectOnAbort(queryBoth(hostname), AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
}

/** Looks up the TXT records of a name, each as its chunks. Rejects with the error codes of c-ares. */
export type TxtResolver = (name: string) => Promise<readonly (readonly string[])[]>;

/** Error code for a name that is an alias (CNAME) of another name, whose records may belong to somebody else. */
export const ALIAS_CODE = 'ERR_DNS_ALIAS';

/**
 * Creates a resolver of TXT records with the name servers and the time limit of `createSystemResolver`. Unlike c-ares,
 * the resolver does not return the records of another name: it rejects with `ALIAS_CODE` for an alias.
 */
export function createTxtResolver({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  servers,
}: SystemResolverOptions = {}): TxtResolver {
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  if (servers !== undefined) dns.setServers(servers);
  const query = async (name: string): Promise<readonly (readonly string[])[]> => {
    const [alias, records] = await Promise.allSettled([dns.resolveCname(name), dns.resolveTxt(name)]);
    if (alias.status === 'fulfilled') throw new ProbeFailure(ALIAS_CODE, `${name} is an alias`);
    const error: unknown = alias.reason;
    const isNoAlias = error instanceof Error && 'code' in error && NO_RECORD_CODES.has(String(error.code));
    if (!isNoAlias) throw error;
    if (records.status === 'rejected') throw records.reason;
    return records.value;
  };
  return (name) => rejectOnAbort(query(name), AbortSignal.timeout(timeoutMs));
}

/** Error codes of c-ares for a name without a record of the requested type. */
export const NO_RECORD_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Duration for which a result or failure is cached, in milliseconds: about the duration of a batch of probes. */
const CACHE_MS = 60_000;

interface CacheEntry {
  readonly result: Promise<readonly DialAddress[]>;
  readonly expiresAt: number;
}

/** Deletes expired entries. The entries are ordered by their expiry, so the loop stops at the first valid entry. */
function deleteExpired(cache: Map<string, CacheEntry>, now: number): void {
  for (const [name, { expiresAt }] of cache) {
    if (expiresAt > now) return;
    cache.delete(name);
  }
}

/**
 * Creates a resolver with a cache. Many endpoints share a host, so one batch of probes looks up each name only once.
 * The failures of an unresponsive name server are cached too, so only the first endpoint waits for the server.
 *
 * The results are kept for one minute only, so that a changed address is found soon. The address guard still checks
 * every address before each connection.
 *
 * @param resolver resolver with its own timeout, because callers share a lookup, which no caller can abort
 */
export function createCachedResolver(resolver: Resolver): Resolver {
  const cache = new Map<string, CacheEntry>();
  const neverAborted = new AbortController().signal;
  return (hostname) => {
    const now = performance.now();
    deleteExpired(cache, now);
    const cached = cache.get(hostname);
    if (cached !== undefined) return cached.result;
    const result = resolver(hostname, neverAborted);
    cache.set(hostname, { result, expiresAt: now + CACHE_MS });
    return result;
  };
}
