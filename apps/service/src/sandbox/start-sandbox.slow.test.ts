import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { startSandboxProcess } from './start-sandbox.ts';

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

it(
  'has the same addresses and the same clock after the sandbox was killed',
  { timeout: 60_000 },
  async ({ skip }) => {
    if (process.platform !== 'linux') skip('finds the process in /proc');
    const path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
    const folder = openDataFolder(path);
    const supervisor = createSupervisor(path);
    try {
      const sandbox = await startSandboxProcess({ folder, config, supervisor });
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
      lines.length = 0;
      const [anvil = 0] = findProcesses(path, 'bin/anvil');
      process.kill(anvil, 'SIGKILL');
      // A chain that ends is the end of its sandbox process, which the supervisor restarts.
      const ended = /^sandbox stopped unexpectedly \(exit code .*; restarted after/;
      await vi.waitFor(() => expect(lines).toContainEqual(expect.stringMatching(ended)), {
        timeout: 40_000,
        interval: 50,
      });
      expect(await readUrls()).toEqual(before);
    } finally {
      await supervisor.stop();
      folder.release();
      rmSync(path, { recursive: true, force: true });
    }
  },
);
