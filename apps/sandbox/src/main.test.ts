import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from './loopback.ts';
import { readySchema } from './sandbox-ready.ts';
import { temporaryFolder, TEST_EPOCH } from './test-world.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const children: ChildProcess[] = [];
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

const start = (env: Record<string, string>, ipc = false): ChildProcess => {
  const stdio = ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])] as const;
  const child = spawn(process.execPath, [MAIN], {
    env: { SANDBOX_DATA_DIR: folder.path, ...env },
    stdio: [...stdio],
  });
  children.push(child);
  return child;
};
const collected = (stream: NodeJS.ReadableStream | null) => {
  let text = '';
  stream?.on('data', (chunk) => (text += String(chunk)));
  return () => text;
};
const ended = async (child: ChildProcess) => {
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  await once(child, 'close');
  return { code: child.exitCode, stdout: stdout(), stderr: stderr() };
};
const announced = async (child: ChildProcess) => {
  const stdout = collected(child.stdout);
  while (!stdout().includes('\n')) if (child.stdout) await once(child.stdout, 'data');
  return readySchema.parse(JSON.parse(stdout()));
};

describe('a process', () => {
  test('says in one line where it is, and ends at once when told to', async () => {
    const child = start({ SANDBOX_EPOCH: TEST_EPOCH });
    const ready = await announced(child);
    expect(ready).toMatchObject({ epoch: TEST_EPOCH, caFile: join(folder.path, 'ca.pem') });
    expect((await fetch(`${ready.directoryUrl}/discovery/resources`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(ready.controlUrl)).rejects.toThrow();
  });

  test('is ended by an interrupt, too, while a connection is open', async () => {
    const child = start({});
    const { controlUrl } = await announced(child);
    await (await fetch(`${controlUrl}/zone`)).text();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('tells its parent by message, and ends when the parent lets go', async () => {
    const child = start({}, true);
    const stdout = collected(child.stdout);
    const messages: unknown[] = await once(child, 'message');
    expect(readySchema.safeParse(messages[0]).success).toBe(true);
    expect(stdout()).toBe('');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('keeps its authority, seed and epoch over a restart', async () => {
    const first = start({ SANDBOX_SEED: 'mine' });
    const { epoch, caFile } = await announced(first);
    const files = async () => [
      await readFile(caFile, 'utf8'),
      await readFile(join(folder.path, 'world.json'), 'utf8'),
    ];
    const before = await files();
    first.kill('SIGTERM');
    await once(first, 'exit');
    expect(await announced(start({}))).toMatchObject({ epoch, caFile });
    expect(await files()).toEqual(before);
  });
});

describe('a start that fails says why in one line', () => {
  const complaint = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await ended(start(env));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^sandbox: [^\n]+\n$/);
    return stderr;
  };

  test('for a setting that is wrong', async () => {
    expect(await complaint({ SANDBOX_HISTORY_DAYS: 'many' })).toContain(
      'SANDBOX_HISTORY_DAYS must be a whole number',
    );
  });

  test.each(['SANDBOX_TLS_PORT', 'SANDBOX_DIRECTORY_PORT', 'SANDBOX_CONTROL_PORT'])(
    'for a taken %s',
    async (setting) => {
      const other = createServer();
      const port = await listenOnLoopback(other, 'PORT', 0);
      expect(await complaint({ [setting]: String(port) })).toContain(
        `${setting}: port ${port} on 127.0.0.1 is taken`,
      );
      other.close();
    },
  );

  test('for a folder it cannot have', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await complaint({ SANDBOX_DATA_DIR: join(file, 'world') })).toContain(
      'SANDBOX_DATA_DIR: cannot make',
    );
    expect(await complaint({ SANDBOX_DATA_DIR: file })).toContain(file);
  });

  test('for listings that are not there', async () => {
    const file = join(folder.path, 'listings.jsonl');
    expect(await complaint({ SANDBOX_LISTINGS: file })).toContain(`SANDBOX_LISTINGS: cannot read ${file}`);
  });
});
