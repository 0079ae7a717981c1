import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savedAnswer } from './testing/answers.ts';
import { startTouchstone, touchstone } from './testing/command.ts';

describe('the command', () => {
  it('passes exit codes on', async () => {
    expect((await touchstone(['--help'])).code).toBe(0);
    expect((await touchstone(['no-such-command'])).code).toBe(2);
  });

  it('passes signals on, and ends as they end it', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(savedAnswer())}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('says its version', async () => {
    const { code, stdout } = await touchstone(['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it('takes its child along when it is killed outright', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(savedAnswer())}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    // The child writes to the same pipe, which closes when both have ended.
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

  it('says what to run first', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(clone, 'apps/cli/bin/touchstone.mjs'), 'lint', '--help'],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Touchstone is not installed yet: run npm start or npm install in .* first\.\n$/);
  });
});
