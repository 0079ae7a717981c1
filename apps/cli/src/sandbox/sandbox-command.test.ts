import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const ENDPOINT = 'https://skyfall.sandbox.test/v2/current';

let folder: string;
let child: ChildProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  child = spawn(process.execPath, [SANDBOX], {
    env: { SANDBOX_DATA_DIR: join(folder, 'sandbox') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(messages[0]));
});
afterAll(async () => {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  rmSync(folder, { recursive: true, force: true });
});

const runSandbox = (...args: readonly string[]) => runInProcess(['sandbox', ...args, '--data-dir', folder]);
const lint = async () => (await runInProcess(['lint', '--sandbox', '--data-dir', folder, ENDPOINT])).stdout;

describe('touchstone sandbox', () => {
  it('makes every change of its help text in a running sandbox, and removes all changes', async () => {
    const before = await lint();
    const names = ['payto', 'price', 'asset', 'challenge', 'listing', 'outage'];
    for (const [index, name] of names.entries()) {
      const { code, stdout, stderr } = await runSandbox('change', ENDPOINT, name);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toBe(`${ENDPOINT} has these changes now: ${names.slice(0, index + 1).join(', ')}.\n`);
    }
    expect(await lint()).not.toBe(before);
    const restored = await runSandbox('restore', ENDPOINT);
    expect([restored.code, restored.stdout]).toEqual([0, `${ENDPOINT} has no changes now.\n`]);
    expect(await lint()).toBe(before);
  });

  it('prints why the sandbox changed nothing', async () => {
    const unknown = await runSandbox('change', 'https://nobody.sandbox.test/', 'payto');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('The sandbox changed nothing: endpoint must be the URL of an endpoint');
    const invalid = await runSandbox('change', ENDPOINT, 'name');
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('Allowed choices are payto')]);
  });

  it('says when no sandbox runs', async () => {
    const args = ['sandbox', 'restore', ENDPOINT, '--data-dir', join(folder, 'none')];
    const { code, stderr } = await runInProcess(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No sandbox runs with the data folder')]);
  });
});
