import { chmod } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratchProject, type ScratchProject } from './scratch-project.ts';

/** Does what its first argument says; prints the number of each process that has to be gone afterwards. */
const entry = `import { spawn } from 'node:child_process';
const [task, value] = process.argv.slice(2);
if (task === 'exit') process.exit(Number(value));
if (task === 'die') process.kill(process.pid, 'SIGKILL');
const idle = 'console.log(process.pid + " idle"); process.on("SIGINT", () => {}); setInterval(() => {}, 1000)';
const child = spawn(process.execPath, ['--eval', idle], { stdio: 'inherit' });
console.log(process.pid + ' main');
setInterval(() => {}, 1000);
let asked = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.log('got ' + signal);
    asked += 1;
    if (task === 'deaf' || (task === 'reluctant' && asked < 2)) return;
    if (task !== 'careless') child.kill();
    setTimeout(() => process.exit(task === 'orderly' ? 0 : 9), 700);
  });
}
`;

/** True once the process is gone, whether or not anybody has collected its exit code. */
async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await sleep(100);
  }
  return false;
}

const pidsIn = (stdout: string): readonly number[] =>
  [...stdout.matchAll(/^(\d+) (?:main|idle)$/gm)].map(([, pid]) => Number(pid));

describe('running the entry by the bootstrap', () => {
  let project: ScratchProject;

  beforeEach(async () => {
    project = await createScratchProject(entry);
    await project.start(['exit', '0']).ended;
  });
  afterEach(() => project.remove());

  it('hands the arguments over and the exit code back', async () => {
    expect(await project.start(['exit', '7']).ended).toMatchObject({ exitCode: 7, stderr: '' });
  });

  it('reports an entry that a signal ended as a shell does', async () => {
    expect(await project.start(['die']).ended).toMatchObject({ exitCode: 137 });
  });

  it('passes a Ctrl-C on once, though npm repeats what the terminal sent', async () => {
    const run = project.start(['orderly']);
    await run.says('idle');
    run.process.kill('SIGINT');
    await sleep(50);
    run.process.kill('SIGINT');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(0);
    expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
  });

  it('passes a second, later Ctrl-C on as well', async () => {
    const run = project.start(['reluctant']);
    await run.says('idle');
    run.process.kill('SIGINT');
    await run.says('got SIGINT');
    await sleep(800);
    run.process.kill('SIGINT');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(9);
    expect(stdout.match(/got SIGINT/g)).toHaveLength(2);
  });

  it('tells the entry of a closed terminal as of an orderly end', async () => {
    const run = project.start(['orderly']);
    await run.says('idle');
    run.process.kill('SIGHUP');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('got SIGTERM');
  });

  it('ends an orphan that the entry left behind', async () => {
    const run = project.start(['careless']);
    await run.says('idle');
    run.process.kill('SIGTERM');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(9);
    const pids = pidsIn(stdout);
    expect(pids).toHaveLength(2);
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
  });

  it.each(['orderly', 'deaf'])(
    'ends an entry (%s) when the bootstrap itself is killed outright',
    async (manner) => {
      const run = project.start([manner]);
      await run.says('idle');
      run.process.kill('SIGKILL');
      const { stdout } = await run.ended;
      expect(stdout).toContain('got SIGTERM');
      const pids = pidsIn(stdout);
      expect(pids).toHaveLength(2);
      expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
    },
  );
});

describe('running the entry by npm', () => {
  let project: ScratchProject;

  beforeEach(async () => {
    project = await createScratchProject(entry);
    await project.start(['exit', '0']).ended;
  });
  afterEach(() => project.remove());

  it('hands the arguments over and the exit code back', async () => {
    expect(await project.npmStart(['exit', '7']).ended).toMatchObject({ exitCode: 7 });
  });

  it('ends in order on a Ctrl-C, of which the entry hears once', async () => {
    const run = project.npmStart(['orderly']);
    await run.says('idle');
    run.interrupt();
    const { stdout } = await run.ended;
    expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
    expect(await Promise.all(pidsIn(stdout).map(isGone))).toEqual([true, true]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends everything when npm gets %s', async (signal) => {
    const run = project.npmStart(['orderly']);
    await run.says('idle');
    run.process.kill(signal);
    const pids = pidsIn((await run.ended).stdout);
    expect(pids).toHaveLength(2);
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
  });
});

describe('an old Node', () => {
  /** Makes Node say it is another version, before anything else is loaded. */
  const pretending = (version: string): readonly string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
  ];
  let project: ScratchProject;

  beforeEach(async () => {
    project = await createScratchProject('console.log("ran")');
  });
  afterEach(() => project.remove());

  it('is turned away below 20, before anything is installed', async () => {
    const { exitCode, stdout, stderr } = await project.start([], pretending('18.20.4')).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe('Touchstone needs Node 20 or newer to set itself up; this is Node 18.20.4.\n');
  });

  it('is told to install 24 where no Node is packaged for the platform', async () => {
    const { exitCode, stdout, stderr } = await project.start([], pretending('20.9.0')).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('install Node 24 from');
  });

  it('gives way to the packaged Node where there is one', async () => {
    await project.start().ended;
    await project.write('node_modules/.bin/node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    await chmod(`${project.root}/node_modules/.bin/node`, 0o755);
    expect(await project.start([], pretending('20.9.0')).ended).toMatchObject({
      exitCode: 0,
      stdout: 'ran\n',
    });
  });
});
