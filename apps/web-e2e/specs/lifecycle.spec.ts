import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { DAY_MS } from '@touchstone/common';
import { z } from 'zod';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { expectNoProcesses, findProcesses } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 240_000;
const HEALTHY = toEndpointPath('https://fxline.sandbox.test/v1/rates/latest');
const KEYS = { publishable: `sb_publishable_${'p'.repeat(24)}`, secret: `sb_secret_${'s'.repeat(24)}` };
/** Part of every progress line of a time-lapse of 14 days, such as `day 3 of 14 · 1,234 probes`. */
const PROGRESS_TEXT = ' of 14 · ';
const stateSchema = z.object({ livedUntil: z.iso.datetime(), timeLapseDone: z.boolean() });
const settingsSchema = z.object({ epoch: z.iso.datetime() });
let dataDir: string;

test.describe.configure({ timeout: 600_000 });
test.beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-life-'));
});
test.afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts the service with settings that must prevent its start. Returns its error output and exit code. */
function runFailingStart(env: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    // Playwright sets FORCE_COLOR. If NO_COLOR is also set, Node prints a warning on stderr, so both variables are
    // removed.
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, PORT: '0', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, message: stderr.trim() };
}

test('stops all its processes, and keeps its data for the next start', async ({ request }) => {
  const first = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await first.waitForOutput('schedule', READY_MS);
  const before = await (await request.get(`${first.url}${HEALTHY}`)).text();
  expect(before).toContain('fxline.sandbox.test');

  const second = runFailingStart({ DATA_DIR: dataDir, PORT: '3999' });
  expect(second).toMatchObject({
    status: 1,
    message: expect.stringMatching(/^DATA_DIR .* is in use by process \d+\. .*$/),
  });
  const portInUse = runFailingStart({ DATA_DIR: `${dataDir}-other`, PORT: new URL(first.url).port });
  expect(portInUse.message).toMatch(/^Port \d+ is already in use\. .*$/);

  if (process.platform === 'linux') expect(findProcesses(dataDir).length).toBeGreaterThanOrEqual(4);
  expect(await first.stop()).toBe(0);
  if (process.platform === 'linux') await expectNoProcesses(dataDir);

  const again = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await again.waitForOutput('schedule', READY_MS);
  expect(again.output()).not.toContain('time-lapse');
  const after = await request.get(`${again.url}${HEALTHY}`);
  expect(after.status()).toBe(200);
  again.process.kill('SIGKILL');
  // After SIGKILL, the service cannot stop its child processes. They must exit because their parent has exited.
  if (process.platform === 'linux') await expectNoProcesses(dataDir);

  const third = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await third.waitForOutput('schedule', READY_MS);
  expect((await request.get(`${third.url}${HEALTHY}`)).status()).toBe(200);
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

test('stops within its time-lapse after one signal, and resumes it at the next start', async () => {
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

test('uses the configured Supabase project', async ({ request }) => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-supabase-'));
  const database = fork(join(ROOT, 'libs/embedded/src/main.ts'), {
    env: {
      ...process.env,
      EMBEDDED_DATA_DIR: join(folder, 'other-database'),
      EMBEDDED_PUBLISHABLE_KEY: KEYS.publishable,
      EMBEDDED_SECRET_KEY: KEYS.secret,
    },
    silent: true,
  });
  const [ready] = (await once(database, 'message')) as [{ url: string }];
  const service = await startService({
    DATA_DIR: join(folder, 'data'),
    SANDBOX_DAYS: '1',
    SUPABASE_URL: ready.url,
    SUPABASE_PUBLISHABLE_KEY: KEYS.publishable,
    SUPABASE_SECRET_KEY: KEYS.secret,
  });
  await service.waitForOutput('schedule', READY_MS);
  expect(service.output()).toContain(`database    ${ready.url}`);
  expect(readdirSync(join(folder, 'data'))).not.toContain('db');
  expect((await request.get(`${service.url}${HEALTHY}`)).status()).toBe(200);
  expect(await service.stop()).toBe(0);
  const exited = once(database, 'exit');
  database.kill('SIGTERM');
  await exited;
  rmSync(folder, { recursive: true, force: true });
});

for (const [env, expected] of [
  [{ PORT: 'three' }, /^PORT must be a whole number from 1 to 65535; received three$/],
  [{ SUPABASE_URL: 'https://x.supabase.co', PORT: '3998' }, /SUPABASE_SECRET_KEY/],
  [{ SANDBOX_LISTINGS: '/nowhere/listings.jsonl', PORT: '3998' }, /\/nowhere\/listings\.jsonl/],
  [
    { DATA_DIR: '/dev/null/touchstone', PORT: '3998' },
    /^DATA_DIR must be a writable folder; received \/dev\/null\/touchstone .*$/,
  ],
] as const) {
  test(`rejects ${JSON.stringify(env)} with one line`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-wrong-'));
    const result = runFailingStart({ DATA_DIR: folder, ...env });
    rmSync(folder, { recursive: true, force: true });
    expect(result.status).toBe(1);
    expect(result.message).toMatch(expected);
    expect(result.message.split('\n')).toHaveLength(1);
  });
}
