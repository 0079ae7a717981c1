import type { DialAddress, Resolver } from './types.ts';

/**
 * Asks once for each name, for the length of one batch: many endpoints share a host, and a dead name server should
 * stall one of them, not all in turn. Failures are kept too. Make a new one for each batch; nothing ever expires.
 *
 * @param resolver - The resolver to ask. It must have a deadline of its own, because a caller that gives up does not
 * end a look-up that others wait for.
 */
export function cachedResolver(resolver: Resolver): Resolver {
  const answers = new Map<string, Promise<readonly DialAddress[]>>();
  const neverAborted = new AbortController().signal;
  return (hostname) => {
    const known = answers.get(hostname);
    if (known !== undefined) return known;
    const answer = resolver(hostname, neverAborted);
    answers.set(hostname, answer);
    return answer;
  };
}
