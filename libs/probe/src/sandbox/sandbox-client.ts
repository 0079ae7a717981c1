import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Resolver } from '../types.ts';
import { parseZone, createZoneResolver, type Zone } from './zone.ts';

const noteSchema = z.object({ controlUrl: z.url(), caFile: z.string() });
const clockSchema = z.object({ at: z.iso.datetime().nullable(), zone: z.unknown() });

/** A world on this machine: its names, its certificates, its clock. */
export interface SandboxClient {
  /** Where its clock is set. */
  readonly controlUrl: string;
  /** Leads its names to this machine, vouched for, and knows no others. */
  readonly resolver: Resolver;
  /** Certificate authority of its endpoints, PEM. */
  readonly ca: string;
  /** What its hosts end with, a dot in front. */
  readonly hostSuffix: string;
  /** The time at which it stands still, in milliseconds since the epoch, as far as is known; null in real time. */
  readonly frozenAt: () => number | null;
  /** Reads again which names resolve, and what time it is. */
  readonly refresh: () => Promise<void>;
  /** Stops its clock, or with null lets it follow the real time. */
  readonly setClock: (at: number | null) => Promise<void>;
}

/** There is no world where a note says that there is one. */
export class SandboxNotRunningError extends Error {
  override readonly name = 'LocalWorldError';
}

/** Nobody waits longer for a server on this machine; for its clock longer, on which its past depends. */
const READ_MS = 5_000;
const SET_MS = 60_000;

interface State {
  readonly zone: Zone;
  readonly frozenAt: number | null;
}

/**
 * Opens the sandbox that runs on this machine.
 *
 * @param noteFile JSON file that its service writes while it runs: `{ controlUrl, caFile }`
 * @throws LocalWorldError when there is no such file, or nobody answers where it leads
 */
export async function connectToSandbox(noteFile: string): Promise<SandboxClient> {
  const { controlUrl, caFile } = readNote(noteFile);
  const clockUrl = new URL('/clock', controlUrl);
  // A service that is killed cannot take its note away.
  const left = `its ${basename(noteFile)} names ${controlUrl}, where nobody answers, so its service has ended`;
  const ca = orNotRunning(left, () => readFileSync(caFile, 'utf8'));
  let state = await read(clockUrl).catch((cause: unknown) => {
    throw new SandboxNotRunningError(left, { cause });
  });
  return {
    controlUrl,
    resolver: createZoneResolver(() => state.zone),
    ca,
    hostSuffix: `.${state.zone.suffix}`,
    frozenAt: () => state.frozenAt,
    refresh: async () => {
      state = await read(clockUrl);
    },
    setClock: async (at) => {
      state = await read(clockUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ at: at === null ? null : new Date(at).toISOString() }),
        signal: AbortSignal.timeout(SET_MS),
      });
    },
  };
}

function readNote(noteFile: string): z.infer<typeof noteSchema> {
  return orNotRunning(`its ${basename(noteFile)} cannot be read`, () =>
    noteSchema.parse(JSON.parse(readFileSync(noteFile, 'utf8'))),
  );
}

function orNotRunning<T>(reason: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new SandboxNotRunningError(reason, { cause });
  }
}

async function read(clockUrl: URL, request: RequestInit = {}): Promise<State> {
  const answer = await fetch(clockUrl, { signal: AbortSignal.timeout(READ_MS), ...request });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${clockUrl.href}`);
  const { at, zone } = clockSchema.parse(await answer.json());
  return { zone: parseZone(zone), frozenAt: at === null ? null : Date.parse(at) };
}
