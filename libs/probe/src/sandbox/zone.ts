import { z } from 'zod';
import type { Resolver } from '../types.ts';

const zoneSchema = z.object({
  suffix: z.string(),
  address: z.string(),
  port: z.number().int(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.number().int() })),
});

/** Names under one suffix that an operator serves from one address: those of a sandbox. */
export interface Zone {
  /** Without a dot before it. */
  readonly suffix: string;
  readonly address: string;
  readonly port: number;
  /** Names under the suffix that do not resolve at present. */
  readonly unresolvable: readonly string[];
  /** Names that are served on a port of their own. */
  readonly overrides: Readonly<Record<string, { readonly port: number }>>;
}

/**
 * Reads a zone as a sandbox tells it.
 * @throws when it is none.
 */
export function parseZone(json: unknown): Zone {
  return zoneSchema.parse(json);
}

/**
 * Resolves the names of a zone, vouched for, and knows no others.
 * @param zone the zone as it is at present; asked for each name
 */
export function createZoneResolver(zone: () => Zone): Resolver {
  return async (hostname) => {
    const { suffix, address, port, unresolvable, overrides } = zone();
    if (!hostname.endsWith(`.${suffix}`) || unresolvable.includes(hostname)) {
      const error = new Error(`${hostname} is not a name of the sandbox`);
      return Promise.reject(Object.assign(error, { code: 'ENOTFOUND' }));
    }
    const own = Object.hasOwn(overrides, hostname) ? overrides[hostname]?.port : undefined;
    return Promise.resolve([{ address, family: 4, port: own ?? port, isTrusted: true }]);
  };
}
