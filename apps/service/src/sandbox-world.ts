import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalWorld, type LocalWorld } from '@touchstone/probe';
import { z } from 'zod';

/** The names of the sandbox, its clock and its agents. Hosts of other people are catalogued but never contacted from here. */
export interface SandboxWorld extends Pick<
  LocalWorld,
  'resolver' | 'ca' | 'hostSuffix' | 'setClock' | 'refresh'
> {
  /** Waits until the agents of the sandbox have paid up to a time; at once where nobody pays. */
  settled(at: number, signal: AbortSignal): Promise<void>;
}

/**
 * Connects to the control server of a sandbox.
 *
 * @param noteFile says where that is, as others on this machine are told
 */
export async function openSandboxWorld(noteFile: string): Promise<SandboxWorld> {
  const world = await openLocalWorld(noteFile);
  return { ...world, settled: (at, signal) => waitUntilSettled(world.controlUrl, at, signal) };
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
