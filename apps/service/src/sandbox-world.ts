import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Waits until the agents of the sandbox have paid up to a time; at once where nobody pays. */
  settled(at: number, signal: AbortSignal): Promise<void>;
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
    settled: (at, signal) => waitUntilSettled(controlUrl, at, signal),
    refresh: async () => {
      zone = await readZone(await fetch(new URL('/zone', controlUrl)));
    },
  };
}

const agentsSchema = z.object({ paidThrough: z.iso.datetime().nullable() });
const POLL_MS = 50;
/** Blocks have whole seconds, so what is paid may end a second before the time that was set. */
const BLOCK_MS = 1_000;
/** Agents that do not get on hold nobody up for longer than this. */
const PATIENCE_MS = 60_000;

async function waitUntilSettled(controlUrl: string, at: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!signal.aborted && performance.now() < deadline) {
    const answer = await fetch(new URL('/agents', controlUrl));
    const { paidThrough } = agentsSchema.parse(await answer.json());
    if (paidThrough === null || Date.parse(paidThrough) > at - BLOCK_MS) return;
    await sleep(POLL_MS);
  }
}

async function readZone(answer: Response, pick: (body: unknown) => unknown = (body) => body): Promise<Zone> {
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${answer.url}`);
  return parseZone(pick(await answer.json()));
}
