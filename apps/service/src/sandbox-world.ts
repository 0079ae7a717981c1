import { parseZone, zoneResolver, type Resolver, type Zone } from '@touchstone/probe';
import { z } from 'zod';

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
    resolver: zoneResolver(() => zone),
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
  return parseZone(pick(await answer.json()));
}
