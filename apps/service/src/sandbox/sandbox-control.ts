import { setTimeout as sleep } from 'node:timers/promises';
import { openSandboxClient, type SandboxClient } from '@touchstone/probe';
import { z } from 'zod';

/**
 * Name resolution, clock and agents of the sandbox. Its resolver resolves only hosts of the sandbox, so other hosts are
 * never contacted.
 */
export interface SandboxControl extends Pick<
  SandboxClient,
  'resolver' | 'ca' | 'hostSuffix' | 'setClock' | 'refresh'
> {
  /**
   * Waits until the agents have made all payments up to a simulated time, at most one minute. Returns at once when the
   * sandbox has no agents.
   */
  waitForPayments(at: number, signal: AbortSignal): Promise<void>;
  /** Sets the clock of a restarted sandbox to the time that was set last, and reads its host names again. */
  restoreClock(): Promise<void>;
}

/**
 * Connects to the control server of a sandbox.
 *
 * @param sandboxFile path of `sandbox.json`, which contains the address of the control server
 */
export async function connectToSandbox(sandboxFile: string): Promise<SandboxControl> {
  const client = await openSandboxClient(sandboxFile);
  let lastSet: number | null | undefined;
  return {
    ...client,
    setClock: async (at) => {
      lastSet = at;
      await client.setClock(at);
    },
    restoreClock: () => (lastSet === undefined ? client.refresh() : client.setClock(lastSet)),
    waitForPayments: (at, signal) => waitForPayments(client.controlUrl, at, signal),
  };
}

const agentsSchema = z.object({ paidThrough: z.iso.datetime().nullable() });
const POLL_MS = 50;
/**
 * Maximum difference between `paidThrough` and the clock, in milliseconds. Block times are whole seconds, so the last
 * payments can be up to a second before the clock.
 */
const BLOCK_MS = 1_000;
const MAX_WAIT_MS = 60_000;

async function waitForPayments(controlUrl: string, at: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!signal.aborted && performance.now() < deadline) {
    const response = await fetch(new URL('/agents', controlUrl));
    const { paidThrough } = agentsSchema.parse(await response.json());
    if (paidThrough === null || Date.parse(paidThrough) > at - BLOCK_MS) return;
    await sleep(POLL_MS);
  }
}
