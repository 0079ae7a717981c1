import { createProber } from '../create-prober.ts';
import type { ProberOptions } from '../create-prober.ts';
import type { Prober, Resolver } from '../types.ts';

/** Every name leads to this machine, vouched for, at the given port. */
export function createLocalResolver(port: number, address = '127.0.0.1'): Resolver {
  return () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4, port, isTrusted: true }]);
}

/** A prober whose names all lead to one local port. */
export function createTestProber(port: number, options: Partial<ProberOptions> = {}): Prober {
  return createProber({ resolver: createLocalResolver(port), userAgent: 'Touchstone-test/1.0', ...options });
}
