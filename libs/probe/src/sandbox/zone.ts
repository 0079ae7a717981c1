import { z } from 'zod';
import type { Resolver } from '../types.ts';

const zoneSchema = z.object({
  suffix: z.string(),
  address: z.string(),
  port: z.number().int(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.number().int() })),
});

/** DNS names of the sandbox. All names under one suffix resolve to the same address. */
export interface Zone {
  /** Suffix of the host names, without a leading dot. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Host names under the suffix that currently do not resolve. */
  readonly unresolvable: readonly string[];
  /** Host names whose port is not `port`. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

/**
 * Parses the zone in a response of the sandbox's control server.
 * @throws ZodError when the value is not a zone
 */
export function parseZone(json: unknown): Zone {
  return zoneSchema.parse(json);
}

/**
 * Creates a resolver for the host names of a zone only. They resolve to trusted addresses.
 * @param readZone returns the current zone; called for each lookup
 */
export function createZoneResolver(readZone: () => Zone): Resolver {
  return async (hostname) => {
    const { suffix, address, port, unresolvable, overrides } = readZone();
    if (!hostname.endsWith(`.${suffix}`) || unresolvable.includes(hostname)) {
      const error = new Error(`${hostname} is not a name of the sandbox`);
      return Promise.reject(Object.assign(error, { code: 'ENOTFOUND' }));
    }
    const override = Object.hasOwn(overrides, hostname) ? overrides[hostname]?.port : undefined;
    return Promise.resolve([{ address, family: 4, port: override ?? port, isTrusted: true }]);
  };
}
