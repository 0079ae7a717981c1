import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { endpointPath } from '../support/endpoint-path.ts';
import { processesOf } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 120_000;
const HEALTHY = endpointPath('https://fxline.sandbox.test/v1/rates/latest');
const KEYS = { publishable: `sb_publishable_${'p'.repeat(24)}`, secret: `sb_secret_${'s'.repeat(24)}` };
let dataDir: string;

test.describe.configure({ timeout: 240_000 });
test.beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-life-'));
});
test.afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs a start that is meant to fail; its words and its exit code. */
function failingStart(env: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    // The test runner forces colors, about which Node warns on stderr where the shell forbids them.
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, PORT: '0', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, said: stderr.trim() };
}

test('stops without leaving a process, and keeps its data for the next start', async ({ request }) => {
  const first = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await first.printed('schedule', READY_MS);
  const before = await (await request.get(`${first.url}${HEALTHY}`)).text();
  expect(before).toContain('fxline.sandbox.test');

  const second = failingStart({ DATA_DIR: dataDir, PORT: '3999' });
  expect(second).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^.* is in use by process \d+: .*$/),
  });
  const taken = failingStart({ DATA_DIR: `${dataDir}-other`, PORT: new URL(first.url).port });
  expect(taken.said).toMatch(/^Port \d+ is taken: .*$/);

  if (process.platform === 'linux') expect(processesOf(dataDir).length).toBeGreaterThanOrEqual(4);
  expect(await first.stop()).toBe(0);
  if (process.platform === 'linux') expect(processesOf(dataDir)).toEqual([]);

  const again = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await again.printed('schedule', READY_MS);
  expect(again.output()).not.toContain('time-lapse');
  const after = await request.get(`${again.url}${HEALTHY}`);
  expect(after.status()).toBe(200);
  again.process.kill('SIGKILL');
  // Nobody stopped the parts: they end because their parent is gone.
  if (process.platform === 'linux')
    await expect.poll(() => processesOf(dataDir), { timeout: 15_000 }).toEqual([]);

  const third = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '1' });
  await third.printed('schedule', READY_MS);
  expect((await request.get(`${third.url}${HEALTHY}`)).status()).toBe(200);
  expect(await third.stop()).toBe(0);
});

test('is stopped by one signal in the middle of its time-lapse, and goes on from there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-half-'));
  const first = await startService({ DATA_DIR: folder, SANDBOX_DAYS: '14' });
  await first.printed('day 2 of 14', READY_MS);
  expect(await first.stop()).toBe(0);
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as Record<string, unknown>;
  expect(state['timeLapseDone']).toBe(false);
  expect(Date.parse(String(state['livedUntil']))).toBeLessThan(Date.now() - 10 * 86_400_000);
  const again = await startService({ DATA_DIR: folder, SANDBOX_DAYS: '14' });
  await again.printed('day 2 of', READY_MS);
  expect(await again.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

test('runs on another Supabase when it is given one', async ({ request }) => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-supabase-'));
  const database = fork(join(ROOT, 'libs/embedded/src/main.ts'), {
    env: {
      ...process.env,
      EMBEDDED_DATA_DIR: join(folder, 'elsewhere'),
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
  await service.printed('schedule', READY_MS);
  expect(service.output()).toContain(`database    ${ready.url}`);
  expect(readdirSync(join(folder, 'data'))).not.toContain('db');
  expect((await request.get(`${service.url}${HEALTHY}`)).status()).toBe(200);
  expect(await service.stop()).toBe(0);
  database.kill('SIGTERM');
  await sleep(500);
  rmSync(folder, { recursive: true, force: true });
});

for (const [env, said] of [
  [{ PORT: 'three' }, /^PORT=three is not usable: .*$/],
  [{ SUPABASE_URL: 'https://x.supabase.co', PORT: '3998' }, /SUPABASE_SECRET_KEY/],
  [{ SANDBOX_LISTINGS: '/nowhere/listings.jsonl', PORT: '3998' }, /\/nowhere\/listings\.jsonl/],
  [
    { DATA_DIR: '/dev/null/touchstone', PORT: '3998' },
    /^DATA_DIR=\/dev\/null\/touchstone cannot be written: .*$/,
  ],
] as const) {
  test(`says in one line what is wrong with ${JSON.stringify(env)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-wrong-'));
    const answer = failingStart({ DATA_DIR: folder, ...env });
    rmSync(folder, { recursive: true, force: true });
    expect(answer.status).toBe(1);
    expect(answer.said).toMatch(said);
    expect(answer.said.split('\n')).toHaveLength(1);
  });
}
