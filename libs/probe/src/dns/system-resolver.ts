import { Resolver as DnsResolver } from 'node:dns/promises';
import { ProbeFailure } from '../outcome/failure.ts';
import type { DialAddress, Resolver } from '../types.ts';

export interface SystemResolverOptions {
  /** Milliseconds for one look-up, with its repetition. */
  readonly timeoutMs: number;
  /** Name servers as `address` or `address:port` to ask instead of the system's. */
  readonly servers?: readonly string[] | undefined;
}

function untilDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new ProbeFailure('ETIMEOUT', 'no answer from the name servers in time'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

type Settled = PromiseSettledResult<readonly DialAddress[]>;

/** An error that tells more than "no address of this kind", which is normal for one of the two kinds. */
function worseOf(v4: Settled, v6: Settled): unknown {
  const reasons: unknown[] = [v4, v6].flatMap((settled): unknown[] =>
    settled.status === 'rejected' ? [settled.reason] : [],
  );
  const telling = reasons.find(
    (reason) => !(reason instanceof Error && 'code' in reason && reason.code === 'ENODATA'),
  );
  return telling ?? reasons[0];
}

/**
 * Resolves names by asking the name servers directly. Never uses `dns.lookup`: its pool of four threads lets a few
 * dead name servers stall every other probe, and its time would not be the name's. As IPv4 is dialled first, its
 * addresses are returned without waiting for those of IPv6.
 *
 * @returns A resolver that rejects with c-ares' codes, and with `ETIMEOUT` after `timeoutMs` milliseconds.
 */
export function createSystemResolver({ timeoutMs, servers }: SystemResolverOptions): Resolver {
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  if (servers !== undefined) dns.setServers(servers);
  const query = async (hostname: string, family: 4 | 6): Promise<readonly DialAddress[]> => {
    const found = await (family === 4 ? dns.resolve4(hostname) : dns.resolve6(hostname));
    return found.map((address) => ({ address, family }));
  };
  const both = async (hostname: string): Promise<readonly DialAddress[]> => {
    const pending = Promise.allSettled([query(hostname, 6)]);
    const [v4] = await Promise.allSettled([query(hostname, 4)]);
    if (v4.status === 'fulfilled' && v4.value.length > 0) return v4.value;
    const [v6] = await pending;
    if (v6.status === 'fulfilled' && v6.value.length > 0) return v6.value;
    throw worseOf(v4, v6);
  };
  return (hostname, signal) =>
    untilDeadline(both(hostname), AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
}
