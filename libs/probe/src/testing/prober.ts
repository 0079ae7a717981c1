import { createProber, type ProberOptions } from '../create-prober.ts';
import type { Probe, Prober, Resolver } from '../types.ts';

/** Creates a resolver that resolves every name to the same trusted local address and port. */
export function createLocalResolver(port: number, address = '127.0.0.1'): Resolver {
  return () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4, port, isTrusted: true }]);
}

/** Creates a prober that connects to the same local port for every host name. */
export function createTestProber(port: number, options: Partial<ProberOptions> = {}): Prober {
  return createProber({ resolver: createLocalResolver(port), userAgent: 'Touchstone-test/1.0', ...options });
}

/** Sends one GET request to a local server, with the limits of the prober. `options` can replace limits. */
export function probeServer(
  { port }: { readonly port: number },
  options: Partial<ProberOptions> = {},
  url = 'http://endpoint.example/',
): Promise<Probe> {
  return createTestProber(port, options)({ url, methods: ['GET'] });
}

/**
 * Runs the event loop many times, so that all data that was sent earlier has arrived. The fake clock does not advance.
 */
export async function runEventLoop(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
