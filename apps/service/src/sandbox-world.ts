import type { DialAddress, Resolver } from '@touchstone/probe';
import { z } from 'zod';

const zoneSchema = z.object({
  suffix: z.string(),
  address: z.string(),
  port: z.number().int(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.number().int() })),
});
type Zone = z.infer<typeof zoneSchema>;

/** The names of the sandbox, and its clock. */
export interface SandboxWorld {
  /** Resolves names of the sandbox to this machine and knows no others. */
  readonly resolver: Resolver;
  /** What its hosts end with; those of other people are catalogued but never contacted from here. */
  readonly hostSuffix: string;
  /** Freezes the sandbox at a time in milliseconds since the epoch; null lets it follow the real time. */
  setClock(at: number | null): Promise<void>;
  /** Reads again which names resolve at present. */
  refresh(): Promise<void>;
}

/** Connects to the control server of a sandbox. */
export async function openSandboxWorld(controlUrl: string): Promise<SandboxWorld> {
  let zone = await readZone(await fetch(new URL('/zone', controlUrl)));
  return {
    resolver: async (hostname) => Promise.resolve(lookUp(zone, hostname)),
    hostSuffix: `.${zone.suffix}`,
    setClock: async (at) => {
      const answer = await fetch(new URL('/clock', controlUrl), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ at: at === null ? null : new Date(at).toISOString() }),
      });
      zone = await readZone(answer, (body) => z.object({ zone: z.unknown() }).parse(body).zone);
    },
    refresh: async () => {
      zone = await readZone(await fetch(new URL('/zone', controlUrl)));
    },
  };
}

async function readZone(answer: Response, pick: (body: unknown) => unknown = (body) => body): Promise<Zone> {
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${answer.url}`);
  return zoneSchema.parse(pick(await answer.json()));
}

function lookUp(zone: Zone, hostname: string): readonly DialAddress[] {
  if (!hostname.endsWith(`.${zone.suffix}`) || zone.unresolvable.includes(hostname)) {
    throw Object.assign(new Error(`queryA ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  }
  const port = zone.overrides[hostname]?.port ?? zone.port;
  return [{ address: zone.address, family: 4, port, vouched: true }];
}
