import { existsSync } from 'node:fs';
import { readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratchProject, type ScratchProject } from './scratch-project.ts';

const entry = `import { readFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('node_modules/greeting/package.json', 'utf8'));
console.log('greeting ' + version);
`;
const installing = 'Installing dependencies';

describe('installation by the bootstrap', () => {
  let project: ScratchProject;
  const inside = (path: string): string => join(project.root, path);

  beforeEach(async () => {
    project = await createScratchProject(entry);
  });
  afterEach(() => project.remove());

  it('installs once, prints one line about it, and runs the entry', async () => {
    const first = await project.start().ended;
    expect(first).toMatchObject({ exitCode: 0, stdout: 'greeting 1.0.0\n' });
    expect(first.stderr).toMatch(/^Installing dependencies \(a minute or two\)… done in \d+ s\n$/);

    const second = await project.start().ended;
    expect(second).toMatchObject({ exitCode: 0, stdout: 'greeting 1.0.0\n', stderr: '' });
  });

  it('installs again when the lockfile changed, and again when it changed back', async () => {
    for (const version of ['1.0.0', '2.0.0', '1.0.0']) {
      await project.depend(version);
      const { stdout, stderr } = await project.start().ended;
      expect(stdout).toBe(`greeting ${version}\n`);
      expect(stderr).toContain(installing);
    }
  });

  it('accepts dependencies that `npm install` brought up to date', async () => {
    await project.start().ended;
    await rm(inside('node_modules/.touchstone-install.json'));
    const { stdout, stderr } = await project.start().ended;
    expect({ stdout, stderr }).toEqual({ stdout: 'greeting 1.0.0\n', stderr: '' });
  });

  it.each(['node_modules', 'node_modules/greeting', 'node_modules/.package-lock.json'])(
    'completes a tree without %s',
    async (missing) => {
      await project.start().ended;
      await rm(inside(missing), { recursive: true });
      const { stdout, stderr } = await project.start().ended;
      expect(stdout).toBe('greeting 1.0.0\n');
      expect(stderr).toContain(installing);
    },
  );

  it('installs again after an interrupted installation', async () => {
    const interrupted = project.start();
    await interrupted.waitForOutput(installing);
    interrupted.process.kill('SIGINT');
    const first = await interrupted.ended;
    expect(first).toMatchObject({ exitCode: 130, stdout: '' });
    expect(first.stderr).toMatch(/… interrupted in \d+ s\nThe installation was interrupted/);

    const second = await project.start().ended;
    expect(second.stdout).toBe('greeting 1.0.0\n');
    expect(second.stderr).toContain(installing);
  });

  it('prints the output of a failed npm and what to do, and runs nothing', async () => {
    await project.depend('2.0.0', '1.0.0');
    await rm(inside('greeting-2.0.0.tgz'));
    const { exitCode, stdout, stderr } = await project.start().ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/npm error .*ENOENT/);
    expect(stderr).toContain('run the command again');
  });

  it('lets one process install while another waits', async () => {
    const both = await Promise.all([project.start().ended, project.start().ended]);
    expect(both.map(({ stdout }) => stdout)).toEqual(['greeting 1.0.0\n', 'greeting 1.0.0\n']);
    expect(both.filter(({ stderr }) => stderr.includes(installing))).toHaveLength(1);
    expect(existsSync(inside('.touchstone/install.lock'))).toBe(false);
  });

  it('takes over the lock of a dead process, and removes it', async () => {
    await project.write('.touchstone/install.lock', JSON.stringify({ token: 'dead', workerPid: null }));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(inside('.touchstone/install.lock'), longAgo, longAgo);
    const { stdout } = await project.start().ended;
    expect(stdout).toBe('greeting 1.0.0\n');
    expect(existsSync(inside('.touchstone/install.lock'))).toBe(false);
  });

  it('waits for an npm that outlived its parent, and can be interrupted while waiting', async () => {
    await project.write(
      '.touchstone/install.lock',
      JSON.stringify({ token: 'dead', workerPid: process.pid }),
    );
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(inside('.touchstone/install.lock'), longAgo, longAgo);
    const waiting = project.start();
    await waiting.waitForOutput('Waiting for another installation');
    waiting.process.kill('SIGTERM');
    expect(await waiting.ended).toMatchObject({ exitCode: 143, stdout: '' });
    expect(JSON.parse(await readFile(inside('.touchstone/install.lock'), 'utf8'))).toMatchObject({
      token: 'dead',
    });
  });
});
