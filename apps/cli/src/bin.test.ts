import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTouchstone, startTouchstone } from './testing/run-command.ts';
import { createSavedResponse } from './testing/saved-response.ts';

describe('the launcher', () => {
  it('forwards exit codes', async () => {
    expect((await runTouchstone(['--help'])).code).toBe(0);
    expect((await runTouchstone(['no-such-command'])).code).toBe(2);
  });

  it('forwards signals to the child and ends with the same signal', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(createSavedResponse())}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('prints its version', async () => {
    const { code, stdout } = await runTouchstone(['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it('ends its child when it is killed with SIGKILL', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(createSavedResponse())}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    // Launcher and child share the output pipe, so `close` is emitted only after both processes have ended.
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  });
});

describe('a fresh clone', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'touchstone-clone-'));
    for (const part of ['apps/cli/bin', 'apps/cli/src', 'apps/cli/package.json', 'tools/bootstrap'])
      cpSync(join(root, part), join(clone, part), { recursive: true });
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  it('prints the commands that install Touchstone', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(clone, 'apps/cli/bin/touchstone.mjs'), 'lint', '--help'],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Touchstone is not installed yet: run npm start or npm install in .* first\.\n$/);
  });
});
