import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { z } from 'zod';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expectNoProcesses, findProcesses } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const READY_MS = 240_000;
const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
/** Part of every progress line of a time-lapse of 14 days, such as `day 3 of 14 · 1,234 probes`. */
const PROGRESS_TEXT = ' of 14 · ';
const stateSchema = z.object({ livedUntil: z.iso.datetime(), timeLapseDone: z.boolean() });
const settingsSchema = z.object({ epoch: z.iso.datetime() });
let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-life-'));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

it('stops all its processes, and keeps its data for the next start', async () => {
  const first = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await first.waitForOutput('schedule', READY_MS);
  const before = await (await fetch(`${first.url}${HEALTHY}`)).text();
  expect(before).toContain('fxline.sandbox.test');

  if (process.platform === 'linux') expect(findProcesses(dataDir).length).toBeGreaterThanOrEqual(4);
  expect(await first.stop()).toBe(0);
  if (process.platform === 'linux') await expectNoProcesses(dataDir);

  const again = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await again.waitForOutput('schedule', READY_MS);
  expect(again.output()).not.toContain('time-lapse');
  const after = await fetch(`${again.url}${HEALTHY}`);
  expect(after.status).toBe(200);
  again.process.kill('SIGKILL');
  // After SIGKILL, the service cannot stop its child processes. The child processes must exit because their parent has
  // exited.
  if (process.platform === 'linux') await expectNoProcesses(dataDir);

  const third = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await third.waitForOutput('schedule', READY_MS);
  expect((await fetch(`${third.url}${HEALTHY}`)).status).toBe(200);
  expect(await third.stop()).toBe(0);
});

/**
 * Reads the progress of the time-lapse from a data folder: its start, and the simulated time up to which it is
 * recorded. Both are in milliseconds since the epoch.
 */
function readTimeLapse(folder: string) {
  const state = stateSchema.parse(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')));
  const settings: unknown = JSON.parse(readFileSync(join(folder, 'sandbox', 'world.json'), 'utf8'));
  const { epoch } = settingsSchema.parse(settings);
  return {
    isDone: state.timeLapseDone,
    recordedUntil: Date.parse(state.livedUntil),
    epoch: Date.parse(epoch),
  };
}

it('stops within its time-lapse after one signal, and resumes it at the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-half-'));
  const first = await startService({ DATA_DIR: folder, SANDBOX_DAYS: '14' });
  await first.waitForOutput(PROGRESS_TEXT, READY_MS);
  expect(await first.stop()).toBe(0);
  const stopped = readTimeLapse(folder);
  expect(stopped.isDone).toBe(false);
  expect(stopped.recordedUntil).toBeGreaterThan(stopped.epoch);

  const again = await startService({ DATA_DIR: folder, SANDBOX_DAYS: '14' });
  await again.waitForOutput(PROGRESS_TEXT, READY_MS);
  expect(await again.stop()).toBe(0);
  // The day of the first stop depends on the speed of the machine. The second start must continue on that day or later.
  const stoppedOnDay = Math.floor((stopped.recordedUntil - stopped.epoch) / DAY_MS) + 1;
  expect(Number(/day (\d+) of 14/.exec(again.output())?.[1])).toBeGreaterThanOrEqual(stoppedOnDay);
  expect(readTimeLapse(folder).recordedUntil).toBeGreaterThan(stopped.recordedUntil);
  rmSync(folder, { recursive: true, force: true });
});
