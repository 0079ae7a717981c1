import { chmod } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchProject, type ScratchProject } from './scratch-project.ts';

/**
 * Source of a test program. Its first argument selects its behavior. It prints the id of each process that must end
 * with it.
 */
const entry = `import { spawn } from 'node:child_process';
const [behavior, value] = process.argv.slice(2);
if (behavior === 'exit') process.exit(Number(value));
if (behavior === 'die') process.kill(process.pid, 'SIGKILL');
if (behavior === 'crash-after-start') process.send?.('started', () => process.kill(process.pid, 'SIGKILL'));
const idle = 'console.log(process.pid + " idle"); process.on("SIGINT", () => {}); setInterval(() => {}, 1000)';
const child = spawn(process.execPath, ['--eval', idle], { stdio: 'inherit' });
console.log(process.pid + ' main');
setInterval(() => {}, 1000);
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.log('got ' + signal);
    signals += 1;
    if (behavior === 'ignore-signals' || (behavior === 'exit-on-second-signal' && signals < 2)) return;
    if (behavior !== 'leave-child-running') child.kill();
    setTimeout(() => process.exit(behavior === 'exit-0-on-signal' ? 0 : 9), 700);
  });
}
`;

/** Waits until the process has ended. Returns false if it is still running after 10 seconds. */
async function hasEnded(pid: number): Promise<boolean> {
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

const parsePids = (stdout: string): readonly number[] =>
  [...stdout.matchAll(/^(\d+) (?:main|idle)$/gm)].map(([, pid]) => Number(pid));

describe.concurrent('running the entry by the bootstrap', () => {
  let project: ScratchProject;

  beforeAll(async () => {
    project = await createScratchProject(entry);
    await project.start(['exit', '0']).ended;
  });
  afterAll(() => project.remove());

  it('passes the arguments to the entry and returns its exit code', async () => {
    expect(await project.start(['exit', '7']).ended).toMatchObject({ exitCode: 7, stderr: '' });
  });

  it('returns 128 plus the signal number for an entry ended by a signal', async () => {
    expect(await project.start(['die']).ended).toMatchObject({ exitCode: 137 });
  });

  it('runs an entry that crashed after its start again, until Ctrl-C', async () => {
    const run = project.start(['crash-after-start']);
    const line = (seconds: number) =>
      `service     stopped unexpectedly (killed by SIGKILL); it is restarted in ${seconds} s`;
    await run.waitForOutput(line(1));
    await run.waitForOutput(line(2));
    run.process.kill('SIGINT');
    expect(await run.ended).toMatchObject({ exitCode: 137 });
  });

  // The test is repeated, because a busy machine can deliver the second signal too late to count as a repetition.
  it('passes a Ctrl-C on once, although npm repeats it', { retry: 3 }, async () => {
    const run = project.start(['exit-0-on-signal']);
    await run.waitForOutput('idle');
    run.process.kill('SIGINT');
    await sleep(50);
    run.process.kill('SIGINT');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(0);
    expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
  });

  it('passes a second, later Ctrl-C on', async () => {
    const run = project.start(['exit-on-second-signal']);
    await run.waitForOutput('idle');
    run.process.kill('SIGINT');
    await run.waitForOutput('got SIGINT');
    await sleep(800);
    run.process.kill('SIGINT');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(9);
    expect(stdout.match(/got SIGINT/g)).toHaveLength(2);
  });

  it('sends SIGTERM to the entry when the terminal is closed', async () => {
    const run = project.start(['exit-0-on-signal']);
    await run.waitForOutput('idle');
    run.process.kill('SIGHUP');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('got SIGTERM');
  });

  it('ends a process that the entry left running', async () => {
    const run = project.start(['leave-child-running']);
    await run.waitForOutput('idle');
    run.process.kill('SIGTERM');
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(9);
    const pids = parsePids(stdout);
    expect(pids).toHaveLength(2);
    expect(await Promise.all(pids.map(hasEnded))).toEqual([true, true]);
  });

  it.each(['exit-0-on-signal', 'ignore-signals'])(
    'ends an entry with behavior %s when the bootstrap gets SIGKILL',
    async (behavior) => {
      const run = project.start([behavior]);
      await run.waitForOutput('idle');
      run.process.kill('SIGKILL');
      const { stdout } = await run.ended;
      expect(stdout).toContain('got SIGTERM');
      const pids = parsePids(stdout);
      expect(pids).toHaveLength(2);
      expect(await Promise.all(pids.map(hasEnded))).toEqual([true, true]);
    },
  );
});

describe.concurrent('running the entry by npm', () => {
  let project: ScratchProject;

  beforeAll(async () => {
    project = await createScratchProject(entry);
    await project.start(['exit', '0']).ended;
  });
  afterAll(() => project.remove());

  it('passes the arguments to the entry and returns its exit code', async () => {
    expect(await project.npmStart(['exit', '7']).ended).toMatchObject({ exitCode: 7 });
  });

  it('stops on Ctrl-C, of which the entry gets one signal', async () => {
    const run = project.npmStart(['exit-0-on-signal']);
    await run.waitForOutput('idle');
    run.interrupt();
    const { stdout } = await run.ended;
    expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
    expect(await Promise.all(parsePids(stdout).map(hasEnded))).toEqual([true, true]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends all processes when npm gets %s', async (signal) => {
    const run = project.npmStart(['exit-0-on-signal']);
    await run.waitForOutput('idle');
    run.process.kill(signal);
    const pids = parsePids((await run.ended).stdout);
    expect(pids).toHaveLength(2);
    expect(await Promise.all(pids.map(hasEnded))).toEqual([true, true]);
  });
});

describe('an old Node', () => {
  /** Command-line options that make Node report another version, before it loads any other module. */
  const reportVersion = (version: string): readonly string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
  ];
  let project: ScratchProject;

  beforeAll(async () => {
    project = await createScratchProject('console.log("ran")');
  });
  afterAll(() => project.remove());

  it('is rejected below version 20, before anything is installed', async () => {
    const { exitCode, stdout, stderr } = await project.start([], reportVersion('18.20.4')).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      'Touchstone needs Node 20 or newer to set itself up; this is Node 18.20.4. Install a newer one from https://nodejs.org.\n',
    );
  });

  it('is rejected below version 24 on a platform without a packaged Node', async () => {
    const { exitCode, stdout, stderr } = await project.start([], reportVersion('20.9.0')).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('install Node 24 from');
  });

  it('is replaced by the packaged Node', async () => {
    await project.start().ended;
    await project.write('node_modules/.bin/node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    await chmod(`${project.root}/node_modules/.bin/node`, 0o755);
    expect(await project.start([], reportVersion('20.9.0')).ended).toMatchObject({
      exitCode: 0,
      stdout: 'ran\n',
    });
  });
});
