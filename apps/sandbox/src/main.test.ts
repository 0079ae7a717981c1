import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from './http/loopback.ts';
import { readySchema } from './sandbox-ready.ts';
import { createTemporaryFolder, TEST_EPOCH } from './testing/test-sandbox.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
const children: ChildProcess[] = [];
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

/** Setting for a start without chains, which most of these tests do not need. */
const WITHOUT_CHAINS = { SANDBOX_CHAIN: 'off' };

const start = (env: Record<string, string>, ipc = false): ChildProcess => {
  const stdio = ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])] as const;
  const child = spawn(process.execPath, [MAIN], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      SANDBOX_DATA_DIR: folder.path,
      ...env,
    },
    stdio: [...stdio],
  });
  children.push(child);
  return child;
};
const collect = (stream: NodeJS.ReadableStream | null) => {
  let text = '';
  stream?.on('data', (chunk) => (text += String(chunk)));
  return () => text;
};
const waitForExit = async (child: ChildProcess) => {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  await once(child, 'close');
  return { code: child.exitCode, stdout: stdout(), stderr: stderr() };
};
const waitUntilReady = async (child: ChildProcess) => {
  const stdout = collect(child.stdout);
  while (!stdout().includes('\n')) if (child.stdout) await once(child.stdout, 'data');
  return readySchema.parse(JSON.parse(stdout()));
};

describe('a process', () => {
  test('prints its addresses in one line, and exits after SIGTERM', async () => {
    const child = start({ SANDBOX_EPOCH: TEST_EPOCH });
    const ready = await waitUntilReady(child);
    expect(ready).toMatchObject({ epoch: TEST_EPOCH, caFile: join(folder.path, 'ca.pem') });
    expect((await fetch(`${ready.directoryUrl}/discovery/resources`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(ready.controlUrl)).rejects.toThrow();
  });

  test('exits after SIGINT while a connection is open', async () => {
    const child = start(WITHOUT_CHAINS);
    const { controlUrl } = await waitUntilReady(child);
    await (await fetch(`${controlUrl}/zone`)).text();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('sends the ready message to its parent, and exits when the parent disconnects', async () => {
    const child = start({}, true);
    const stdout = collect(child.stdout);
    const messages: unknown[] = await once(child, 'message');
    expect(readySchema.safeParse(messages[0]).success).toBe(true);
    expect(stdout()).toBe('');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('keeps its authority, seed and epoch at a restart', async () => {
    const first = start({ ...WITHOUT_CHAINS, SANDBOX_SEED: 'mine' });
    const { epoch, caFile } = await waitUntilReady(first);
    const files = async () => [
      await readFile(caFile, 'utf8'),
      await readFile(join(folder.path, 'world.json'), 'utf8'),
    ];
    const before = await files();
    first.kill('SIGTERM');
    await once(first, 'exit');
    expect(await waitUntilReady(start(WITHOUT_CHAINS))).toMatchObject({ epoch, caFile });
    expect(await files()).toEqual(before);
  });
});

describe('a failed start prints the reason in one line', () => {
  const getError = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await waitForExit(start(env));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^sandbox: [^\n]+\n$/);
    return stderr;
  };

  test('for an invalid setting', async () => {
    expect(await getError({ SANDBOX_HISTORY_DAYS: 'many' })).toContain(
      'SANDBOX_HISTORY_DAYS must be a whole number',
    );
  });

  test.each([
    'SANDBOX_TLS_PORT',
    'SANDBOX_DIRECTORY_PORT',
    'SANDBOX_CONTROL_PORT',
    'SANDBOX_RECEIVER_PORT',
    'SANDBOX_FACILITATOR_PORT',
  ])('for a %s that is in use', async (setting) => {
    // The facilitator listens only if there are chains.
    const chains = setting === 'SANDBOX_FACILITATOR_PORT' ? {} : WITHOUT_CHAINS;
    const other = createServer();
    const port = await listenOnLoopback(other, 'PORT', 0);
    expect(await getError({ ...chains, [setting]: String(port) })).toContain(
      `${setting}: port ${port} on 127.0.0.1 is already in use`,
    );
    other.close();
  });

  test('for a data folder that cannot be created or written', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await getError({ SANDBOX_DATA_DIR: join(file, 'world') })).toContain(
      'SANDBOX_DATA_DIR: cannot create',
    );
    expect(await getError({ ...WITHOUT_CHAINS, SANDBOX_DATA_DIR: file })).toContain(file);
  });

  test('for a missing file of listings', async () => {
    const file = join(folder.path, 'listings.jsonl');
    expect(await getError({ SANDBOX_LISTINGS: file })).toContain(`SANDBOX_LISTINGS: cannot read ${file}`);
  });
});
