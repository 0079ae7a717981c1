import { createProber } from '../create-prober.ts';
import type { ProberOptions } from '../create-prober.ts';
import type { Prober, Resolver } from '../types.ts';

/** Creates a resolver that resolves every name to the same trusted local address and port. */
export function createLocalResolver(port: number, address = '127.0.0.1'): Resolver {
  return () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4, port, isTrusted: true }]);
}

/** Creates a prober that connects to the same local port for every host name. */
export function createTestProber(port: number, options: Partial<ProberOptions> = {}): Prober {
  return createProber({ resolver: createLocalResolver(port), userAgent: 'Touchstone-test/1.0', ...options });
}
