import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Resolver } from '../types.ts';

/** DNS names of the sandbox. All names under one suffix resolve to the same address. */
export const zoneSchema = z.object({
  /** Suffix of the host names, without a leading dot. */
  suffix: z.string(),
  address: z.string(),
  port: z.number().int(),
  /** Host names under the suffix that currently do not resolve. */
  unresolvable: z.array(z.string()),
  /** Host names whose port is not `port`. */
  overrides: z.record(z.string(), z.object({ port: z.number().int() })),
});
type Zone = z.infer<typeof zoneSchema>;

/**
 * Creates a resolver for the host names of a zone only. These names resolve to trusted addresses.
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

const noteSchema = z.object({ controlUrl: z.url(), caFile: z.string() });
const clockSchema = z.object({ at: z.iso.datetime().nullable(), zone: zoneSchema });

/** Client of the sandbox that runs on this machine, with its DNS names, certificate authority and clock. */
export interface SandboxClient {
  /** Base URL of the sandbox's control server. */
  readonly controlUrl: string;
  /** Resolver for the sandbox's host names only. These names resolve to trusted addresses of this machine. */
  readonly resolver: Resolver;
  /** PEM certificate of the authority that issues the certificates of the sandbox's endpoints. */
  readonly ca: string;
  /** Suffix of the sandbox's host names, with a leading dot. */
  readonly hostSuffix: string;
  /**
   * Returns the time at which the sandbox's clock stands still, in milliseconds; null when the clock follows the real
   * time. The value was read by the last `refresh` or `setClock`.
   */
  readonly frozenAt: () => number | null;
  /** Reads the current host names and the clock of the sandbox. */
  readonly refresh: () => Promise<void>;
  /** Stops the sandbox's clock at a time in milliseconds. Null makes the clock follow the real time. */
  readonly setClock: (at: number | null) => Promise<void>;
}

/**
 * Thrown when the file that describes the running sandbox is missing or invalid, or when the sandbox does not respond.
 */
export class SandboxNotRunningError extends Error {
  override readonly name = 'SandboxNotRunningError';
}

/**
 * Timeout of a request that reads the clock, in milliseconds. A stopped sandbox refuses connections immediately, so
 * only a slow sandbox needs this time.
 */
const READ_TIMEOUT_MS = 30_000;
/**
 * Timeout of a request that sets the clock, in milliseconds. The timeout is long, because the simulation of past
 * days stops when such a request fails.
 */
const SET_TIMEOUT_MS = 60_000;

interface State {
  readonly zone: Zone;
  readonly frozenAt: number | null;
}

/**
 * Connects to the sandbox that runs on this machine.
 *
 * @param noteFile JSON file that the sandbox's service writes while it runs: `{ controlUrl, caFile }`
 * @throws SandboxNotRunningError when the file is missing or invalid, or the sandbox does not respond
 */
export async function openSandboxClient(noteFile: string): Promise<SandboxClient> {
  const { controlUrl, caFile } = readNote(noteFile);
  const clockUrl = new URL('/clock', controlUrl);
  // A killed service cannot delete its file, so the file may describe a sandbox that has stopped.
  const stopped = `its ${basename(noteFile)} names ${controlUrl}, which does not respond: its service has stopped`;
  const ca = rejectAsNotRunning(stopped, () => readFileSync(caFile, 'utf8'));
  let state = await requestClock(clockUrl).catch((cause: unknown) => {
    throw new SandboxNotRunningError(stopped, { cause });
  });
  return {
    controlUrl,
    resolver: createZoneResolver(() => state.zone),
    ca,
    hostSuffix: `.${state.zone.suffix}`,
    frozenAt: () => state.frozenAt,
    refresh: async () => {
      state = await requestClock(clockUrl);
    },
    setClock: async (at) => {
      state = await requestClock(clockUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ at: at === null ? null : new Date(at).toISOString() }),
        signal: AbortSignal.timeout(SET_TIMEOUT_MS),
      });
    },
  };
}

function readNote(noteFile: string): z.infer<typeof noteSchema> {
  return rejectAsNotRunning(`its ${basename(noteFile)} cannot be read`, () =>
    noteSchema.parse(JSON.parse(readFileSync(noteFile, 'utf8'))),
  );
}

function rejectAsNotRunning<T>(reason: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new SandboxNotRunningError(reason, { cause });
  }
}

async function requestClock(clockUrl: URL, request: RequestInit = {}): Promise<State> {
  const response = await fetch(clockUrl, { signal: AbortSignal.timeout(READ_TIMEOUT_MS), ...request });
  if (!response.ok) throw new Error(`The sandbox responded with ${response.status} to ${clockUrl.href}`);
  const { at, zone } = clockSchema.parse(await response.json());
  return { zone, frozenAt: at === null ? null : Date.parse(at) };
}
