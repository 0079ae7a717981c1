import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pay } from '../support/payment/buyer.ts';
import { findProcesses } from '../support/processes.ts';
import { readStartedEntry } from '../support/service-log.ts';
import { startService, type RunningService } from '../support/service.ts';

const READY_MS = 240_000;
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
/**
 * Parts of the service. `command` is a text in the command line of the process, and `line` is a text in the message to
 * the operator.
 */
const PARTS = [
  { part: 'database', command: 'embedded/src/main.ts', line: 'database    stopped unexpectedly' },
  { part: 'site', command: 'web/src/serving/main.ts', line: 'site        stopped unexpectedly' },
  {
    part: 'chain of Base',
    command: '--chain-id\u00008453',
    line: 'the chain of eip155:8453 ended (killed by SIGKILL)',
  },
  {
    part: 'sandbox',
    command: 'sandbox/src/main.ts',
    line: 'sandbox     stopped unexpectedly (killed by SIGKILL)',
  },
] as const;

let dataDir: string;
let service: RunningService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-restarts-'));
  service = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1', EMBEDDER: 'none' });
  await service.waitForOutput('schedule', READY_MS);
}, READY_MS);
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Kills the processes of the service whose command line contains a text. */
function killProcesses(command: string): void {
  const found = findProcesses(dataDir).filter(
    (pid) => pid !== service.process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(command),
  );
  expect(found).not.toEqual([]);
  for (const pid of found) process.kill(pid, 'SIGKILL');
}

/**
 * Buys a report with a new payment. Returns the HTTP status of the response, followed by the problem code if the body
 * has one.
 */
async function buyReport(): Promise<string> {
  const response = await pay('/v1/x402-trust', { resource: RESOURCE }, { url: service.url, dataDir });
  const body = (await response.json()) as { readonly code?: string };
  return body.code === undefined ? String(response.status) : `${response.status} ${body.code}`;
}

// The test finds the processes in /proc.
it.skipIf(process.platform !== 'linux').each(PARTS)(
  'restarts its $part after kill -9, and serves pages and purchases again',
  async ({ part, command, line }) => {
    const addresses = readStartedEntry(dataDir);
    killProcesses(command);
    // While the chain is down, a valid payment must not be refused as invalid.
    if (part === 'chain of Base') expect(['503 payment-unavailable', '200']).toContain(await buyReport());
    await service.waitForOutput(line, 60_000);
    await expect.poll(buyReport, { timeout: 60_000 }).toBe('200');
    for (const path of [`/explore?q=${encodeURIComponent(part)}`, '/api/health'])
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    // The other parts were not restarted, so the addresses must be the same.
    expect((await fetch(addresses.receiver ?? '')).status).toBe(200);
    expect((await fetch(addresses.database)).status).toBeLessThan(500);
  },
);
