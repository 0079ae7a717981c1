import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { startSandbox } from './start-sandbox.ts';

const config = {
  sandbox: { seed: 'touchstone', days: 0, listings: null, network: 'eip155:8453' },
  baseUrl: 'http://localhost:3000',
} as const;
const lines: string[] = [];
const print = (part: string, text: string) => lines.push(`${part} ${text}`);
const createSupervisor = (path: string) =>
  new Supervisor({
    logDir: join(path, 'logs'),
    print,
    // Delays before restarts pass ten times as fast.
    sleep: (ms, signal) => sleep(ms / 10, undefined, { signal }),
  });
const readControlUrl = (path: string): string =>
  (JSON.parse(readFileSync(join(path, 'sandbox.json'), 'utf8')) as Record<'controlUrl', string>).controlUrl;
/** Finds the processes of a sandbox whose command line contains a text. Works only on Linux. */
const findProcesses = (path: string, text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isOwn = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SANDBOX_DATA_DIR=${path}/`);
        return isOwn && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });

it('returns its URLs, writes a file with its addresses, and removes the file at the end', async ({
  skip,
}) => {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
  const folder = openDataFolder(path);
  const supervisor = createSupervisor(path);
  const file = join(path, 'sandbox.json');
  try {
    const { receiverUrl, chains, chainMissing } = await startSandbox({ folder, config, supervisor });
    const sandboxFile = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'controlUrl' | 'caFile' | 'serviceUrl' | 'demoWalletKeyFile' | 'network',
      string
    >;
    expect(sandboxFile.serviceUrl).toBe('http://localhost:3000');
    expect(sandboxFile.network).toBe('eip155:8453');
    expect(readFileSync(sandboxFile.demoWalletKeyFile, 'utf8')).toMatch(/^0x[0-9a-f]{64}\n$/);
    expect((await fetch(`${sandboxFile.controlUrl}/zone`)).status).toBe(200);
    expect(await (await fetch(`${receiverUrl}/deliveries`)).json()).toEqual({ deliveries: [] });
    expect(readFileSync(sandboxFile.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
    // npm has no anvil, the program that runs the chain, for some platforms.
    if (chains !== null) {
      expect(chainMissing).toBeNull();
      const supported = await fetch(`${chains.facilitatorUrl}/supported`);
      expect(await supported.json()).toMatchObject({ signers: { 'eip155:*': [expect.any(String)] } });
    }
    await supervisor.stop();
    expect(existsSync(file)).toBe(false);
    if (chains === null) skip(chainMissing ?? 'there is no chain');
  } finally {
    folder.release();
    rmSync(path, { recursive: true, force: true });
  }
});

it(
  'has the same addresses and the same clock after the sandbox was killed',
  { timeout: 60_000 },
  async ({ skip }) => {
    if (process.platform !== 'linux') skip('finds the process in /proc');
    const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
    const folder = openDataFolder(path);
    const supervisor = createSupervisor(path);
    try {
      const sandbox = await startSandbox({ folder, config, supervisor });
      const readUrls = () =>
        Promise.all(
          [
            sandbox.directoryUrl,
            sandbox.receiverUrl,
            sandbox.chains?.facilitatorUrl ?? sandbox.directoryUrl,
          ].map(async (url) => (await fetch(url)).status),
        );
      const before = await readUrls();
      const at = Date.parse('2026-02-01T00:00:00Z');
      await sandbox.control.setClock(at);
      lines.length = 0;
      for (const pid of findProcesses(path, 'sandbox/src/main.ts')) process.kill(pid, 'SIGKILL');
      const restarted = 'sandbox stopped unexpectedly (killed by SIGKILL); restarted after 1 s';
      await vi.waitFor(() => expect(lines).toContain(restarted), { timeout: 40_000, interval: 50 });
      expect(sandbox.isRunning()).toBe(true);
      expect(await readUrls()).toEqual(before);
      expect(existsSync(join(path, 'sandbox.json'))).toBe(true);
      const zone: unknown = await (await fetch(`${readControlUrl(path)}/clock`)).json();
      expect(zone).toMatchObject({ at: new Date(at).toISOString() });
      for (const pid of findProcesses(path, 'anvil')) process.kill(pid, 'SIGKILL');
      const chain =
        'sandbox chain of eip155:8453 stopped unexpectedly (killed by SIGKILL); restarted after 1 s';
      await vi.waitFor(() => expect(lines).toContain(chain), { timeout: 20_000, interval: 50 });
    } finally {
      await supervisor.stop();
      folder.release();
      rmSync(path, { recursive: true, force: true });
    }
  },
);
