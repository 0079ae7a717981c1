import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Supervisor, waitForMessage, type Child, type Part } from './supervisor.ts';

let folder: string;
let lines: string[];
let supervisor: Supervisor;
let children: Child[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-supervisor-'));
  lines = [];
  children = [];
  supervisor = new Supervisor({
    logDir: folder,
    print: (part, text) => lines.push(`${part} ${text}`),
    // Delays before restarts pass ten times as fast.
    sleep: (ms, signal) => sleep(ms / 10, undefined, { signal }),
  });
});
afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Program that reports that it is ready, or fails while the file `broken` exists. */
const PROGRAM = `
  if (require('node:fs').existsSync('broken')) { console.error('program: port 7 is in use'); process.exit(1); }
  process.on('disconnect', () => process.exit());
  console.log('started');
  process.send({ type: 'notice', message: 'the disk is full' });
  process.send('ready');
  setInterval(() => {}, 1000);
`;

const createPart = (changes: Partial<Part<string>> = {}): Part<string> => ({
  name: 'part',
  start: async (spawn) => {
    const child = spawn({ name: 'program', args: ['--eval', PROGRAM], env: {}, cwd: folder });
    children.push(child);
    return waitForMessage(child, z.string());
  },
  ...changes,
});
const waitForLine = (line: string) =>
  vi.waitFor(() => expect(lines).toContain(line), { timeout: 20_000, interval: 20 });

it('restarts a process that was killed, with one line for the operator', async () => {
  const onRestarted = vi.fn(() => Promise.resolve());
  expect(await supervisor.start(createPart({ onRestarted }))).toBe('ready');
  expect(onRestarted).not.toHaveBeenCalled();
  children[0]?.process.kill('SIGKILL');
  await waitForLine('part stopped unexpectedly (killed by SIGKILL); restarted after 1 s');
  expect(lines).toEqual([
    'part the disk is full',
    'part the disk is full',
    expect.stringContaining('restarted'),
  ]);
  expect(onRestarted).toHaveBeenCalledWith('ready');
  expect(readFileSync(join(folder, 'program.log'), 'utf8')).toBe('started\nstarted\n');
});

it('names the reason of a failed restart, and restarts the process later', { timeout: 30_000 }, async () => {
  await supervisor.start(createPart());
  writeFileSync(join(folder, 'broken'), '');
  children[0]?.process.kill('SIGKILL');
  await waitForLine(
    'part stopped unexpectedly (killed by SIGKILL), and its restart failed (program: port 7 is in use)',
  );
  rmSync(join(folder, 'broken'));
  await waitForLine('part stopped unexpectedly (killed by SIGKILL); restarted after 2 s');
});

it(
  'stops a restarted process whose `onRestarted` fails, and restarts it later',
  { timeout: 30_000 },
  async () => {
    const onRestarted = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('the site is away'));
    await supervisor.start(createPart({ onRestarted }));
    children[0]?.process.kill('SIGKILL');
    await waitForLine('part stopped unexpectedly (killed by SIGKILL); restarted after 2 s');
    expect(children.map(({ process: { exitCode, signalCode } }) => exitCode ?? signalCode)).toEqual([
      'SIGKILL',
      'SIGTERM',
      null,
    ]);
  },
);

it('does not restart a process whose first start fails, and no process after it was stopped', async () => {
  writeFileSync(join(folder, 'broken'), '');
  await expect(supervisor.start(createPart())).rejects.toThrow('port 7 is in use');
  rmSync(join(folder, 'broken'));
  await supervisor.start(createPart());
  await supervisor.stop();
  expect(children.map(({ process: child }) => child.exitCode ?? child.signalCode)).toEqual([1, 'SIGTERM']);
  expect(lines).toEqual(['part the disk is full']);
  expect(existsSync(join(folder, 'program.log'))).toBe(true);
});

/** Program that reports SIGTERM and continues to run. A second SIGTERM ends it. */
const SLOW_PROGRAM = `
  process.once('SIGTERM', () => process.send({ type: 'notice', message: 'finishing requests' }));
  process.on('disconnect', () => process.exit());
  process.send('ready');
  setInterval(() => {}, 1000);
`;
const startSlow = (stopTimeoutMs: number): Promise<string> =>
  supervisor.start({
    name: 'part',
    start: async (spawn) => {
      const options = { name: 'program', args: ['--eval', SLOW_PROGRAM], env: {}, cwd: folder };
      const child = spawn({ ...options, stopTimeoutMs });
      children.push(child);
      return waitForMessage(child, z.string());
    },
  });

it('kills a process that still runs after its stop timeout', async () => {
  await startSlow(50);
  await supervisor.stop();
  expect(children[0]?.process.signalCode).toBe('SIGKILL');
});

it('does not wait for the stop timeout when asked to', async () => {
  await startSlow(60_000);
  const stopped = supervisor.stop();
  await waitForLine('part finishing requests');
  supervisor.skipWaiting();
  await stopped;
  expect(children[0]?.process.signalCode).toBe('SIGTERM');
});

it('does not restart a process that has ended on purpose', async () => {
  await supervisor.start(createPart({ isFinished: () => true }));
  children[0]?.process.kill('SIGKILL');
  await children[0]?.ended;
  await supervisor.stop();
  expect(children).toHaveLength(1);
  expect(lines).toEqual(['part the disk is full']);
});
