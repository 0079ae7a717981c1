import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@touchstone/common';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readySchema, startSandbox } from './start-sandbox.ts';
import { createTestClient, createTemporaryFolder, TEST_EPOCH } from './testing/test-sandbox.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
const children: ChildProcess[] = [];
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

/** Starts a process without chains. */
function start(env: Record<string, string> = {}, ipc = false): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      SANDBOX_DATA_DIR: folder.path,
      SANDBOX_CHAIN: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  children.push(child);
  return child;
}

function collect(stream: NodeJS.ReadableStream | null) {
  let text = '';
  stream?.on('data', (chunk) => (text += String(chunk)));
  return () => text;
}

test('a process prints its addresses in one line, and exits after SIGINT while a connection is open', async () => {
  const child = start({ SANDBOX_EPOCH: TEST_EPOCH });
  const stdout = collect(child.stdout);
  await expect.poll(stdout, { timeout: 30_000 }).toContain('\n');
  const ready = readySchema.parse(JSON.parse(stdout()));
  expect(ready).toMatchObject({ epoch: TEST_EPOCH, caFile: join(folder.path, 'ca.pem') });
  expect((await fetch(`${ready.directoryUrl}/discovery/resources`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(fetch(ready.controlUrl)).rejects.toThrow();
});

test('a process sends the ready message to its parent, and exits when the parent disconnects', async () => {
  const child = start({}, true);
  const stdout = collect(child.stdout);
  const messages: unknown[] = await once(child, 'message');
  expect(readySchema.safeParse(messages[0]).success).toBe(true);
  expect(stdout()).toBe('');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a failed start prints the reason in one line', async () => {
  const child = start({ SANDBOX_HISTORY_DAYS: 'many' });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  await once(child, 'close');
  expect([child.exitCode, stdout()]).toEqual([1, '']);
  expect(stderr()).toMatch(/^sandbox: SANDBOX_HISTORY_DAYS must be a whole number[^\n]+\n$/);
});

test('startSandbox runs a sandbox in a child process until it is stopped', async () => {
  const sandbox = await startSandbox({ dataDir: folder.path, historyDays: 3, hasChain: false });
  const { request, zone } = await createTestClient(sandbox);
  expect((Date.now() - Date.parse(sandbox.epoch)) / DAY_MS).toBeCloseTo(3, 2);
  expect((await zone()).port).toBe(sandbox.tlsPort);
  expect(await request('https://skyfall.sandbox.test/v2/current')).toMatchObject({ status: 402 });
  await sandbox.stop();
  await sandbox.stop();
  await expect(fetch(sandbox.controlUrl)).rejects.toThrow();
});

test('startSandbox fails with the error output of the sandbox', async () => {
  const listingsFile = join(folder.path, 'nothing.jsonl');
  await expect(startSandbox({ dataDir: folder.path, listingsFile })).rejects.toThrow(
    /SANDBOX_LISTINGS: cannot read/,
  );
});
