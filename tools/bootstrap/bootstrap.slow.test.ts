import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Source of the service. Its first argument selects its behavior. It prints the id of each of its processes. */
const SERVICE = `import { spawn } from 'node:child_process';
const [behavior, value] = process.argv.slice(2);
if (behavior === 'exit') process.exit(Number(value));
const idle = 'console.log(process.pid + " runs"); process.on("SIGINT", () => {}); setInterval(() => {}, 1000)';
const child = spawn(process.execPath, ['--eval', idle], { stdio: 'inherit' });
console.log(process.pid + ' runs');
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    console.log('got ' + signal);
    if (behavior !== 'leave-child') child.kill();
    setTimeout(() => process.exit(9), 700);
  });
`;
const INSTALLING = 'Installing dependencies';
const root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-bootstrap-')));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

/** Writes package.json and package-lock.json. Each dependency is a folder of the test project. */
function depend(names: readonly string[], locked = names, devNames: readonly string[] = []): void {
  const start = 'node tools/bootstrap.mjs start';
  const toFolders = (all: readonly string[]) => Object.fromEntries(all.map((name) => [name, `file:${name}`]));
  const toManifest = (dependencies: readonly string[]) => ({
    name: 'scratch',
    version: '1.0.0',
    dependencies: toFolders(dependencies),
    devDependencies: toFolders(devNames),
  });
  for (const name of [...names, ...devNames])
    write(`${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
  write('package.json', JSON.stringify({ ...toManifest(names), type: 'module', scripts: { start } }));
  const folders = [...locked, ...devNames].flatMap((name) => {
    const mark = devNames.includes(name) ? { dev: true } : {};
    return [
      [name, { version: '1.0.0', ...mark }],
      [`node_modules/${name}`, { resolved: name, link: true, ...mark }],
    ];
  });
  const packages: unknown = { '': toManifest(locked), ...Object.fromEntries(folders) };
  write('package-lock.json', JSON.stringify({ ...toManifest([]), lockfileVersion: 3, packages }));
}

interface Run {
  readonly process: ChildProcess;
  /** Output that the process has written so far. */
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

/** Runs a command in its own process group, as a terminal does. */
function launch(command: string, args: readonly string[]): Run {
  const env = { ...process.env, npm_lifecycle_event: undefined };
  const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const ended = new Promise<Awaited<Run['ended']>>((resolve) => {
    child.on('close', (exitCode) => {
      resolve({ exitCode, ...output });
    });
  });
  return { process: child, output, ended };
}

const start = (args: readonly string[], nodeOptions: readonly string[] = []): Run =>
  launch(process.execPath, [...nodeOptions, 'tools/bootstrap.mjs', 'start', ...args]);
const npmStart = (behavior: string): Run => launch('npm', ['start', '--silent', '--', behavior]);

const waitForText = (run: Run, text: string): Promise<void> =>
  vi.waitFor(() => expect(run.output.stdout + run.output.stderr).toContain(text), { timeout: 20_000 });

/** Waits until both processes of the service run, and returns their ids. */
async function waitForService(run: Run): Promise<readonly number[]> {
  const list = () => Array.from(run.output.stdout.matchAll(/^(\d+) runs$/gm), ([, pid]) => Number(pid));
  await vi.waitFor(() => expect(list()).toHaveLength(2), { timeout: 20_000 });
  return list();
}

const expectEnded = (pids: readonly number[]): Promise<void> =>
  vi.waitFor(() => pids.forEach((pid) => expect(() => process.kill(pid, 0)).toThrow('ESRCH')), {
    timeout: 10_000,
    interval: 100,
  });

beforeAll(() => {
  const tools = fileURLToPath(new URL('..', import.meta.url));
  cpSync(join(tools, 'bootstrap.mjs'), join(root, 'tools/bootstrap.mjs'));
  cpSync(join(tools, 'bootstrap'), join(root, 'tools/bootstrap'), { recursive: true });
  write('apps/service/src/main.ts', SERVICE);
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

describe('installation by the bootstrap', () => {
  it('prints the output of a failed npm and what to do, and runs nothing', async () => {
    depend(['one', 'two'], ['one']);
    const { exitCode, stdout, stderr } = await start(['exit', '0']).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/npm error .*two/);
    expect(stderr).toContain('run the command again');
  });

  it('repeats an interrupted installation', async () => {
    depend(['one']);
    const interrupted = start(['exit', '0']);
    await waitForText(interrupted, INSTALLING);
    interrupted.process.kill('SIGINT');
    const { exitCode, stderr } = await interrupted.ended;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('was interrupted');
    expect((await start(['exit', '0']).ended).stderr).toContain(INSTALLING);
  });

  it('installs only when node_modules differs from the lockfile', async () => {
    depend(['one', 'two']);
    expect((await start(['exit', '7']).ended).stderr).toContain(INSTALLING);
    expect(await start(['exit', '7']).ended).toEqual({ exitCode: 7, stdout: '', stderr: '' });
    rmSync(join(root, 'node_modules/two'));
    expect((await start(['exit', '7']).ended).stderr).toContain(INSTALLING);
  });
});

describe('development packages', () => {
  const test = (): Run => launch(process.execPath, ['tools/bootstrap.mjs', 'test']);
  const isInstalled = (name: string): boolean => existsSync(join(root, 'node_modules', name));

  it('are installed by npm test, which keeps the other packages, and stay installed', async () => {
    write('tools/test.ts', '');
    rmSync(join(root, 'node_modules'), { recursive: true, force: true });
    depend(['one'], ['one'], ['tool']);
    expect((await start(['exit', '7']).ended).exitCode).toBe(7);
    expect([isInstalled('one'), isInstalled('tool')]).toEqual([true, false]);
    const { ino } = lstatSync(join(root, 'node_modules/one'));
    expect((await test().ended).stderr).toContain(INSTALLING);
    expect([lstatSync(join(root, 'node_modules/one')).ino, isInstalled('tool')]).toEqual([ino, true]);
    depend(['one', 'two'], ['one', 'two'], ['tool']);
    expect((await start(['exit', '7']).ended).stderr).toContain(INSTALLING);
    expect([isInstalled('two'), isInstalled('tool')]).toEqual([true, true]);
  });

  it('stay installed, like all other packages, after interrupted installations', async () => {
    const listInodes = () => ['one', 'tool'].map((name) => lstatSync(join(root, 'node_modules', name)).ino);
    const before = listInodes();
    depend(['one', 'three'], ['one', 'three'], ['tool']);
    for (let count = 0; count < 2; count += 1) {
      const interrupted = start(['exit', '7']);
      await waitForText(interrupted, INSTALLING);
      interrupted.process.kill('SIGINT');
      expect((await interrupted.ended).exitCode).toBe(130);
    }
    expect((await start(['exit', '7']).ended).exitCode).toBe(7);
    expect(isInstalled('three')).toBe(true);
    expect(listInodes()).toEqual(before);
  });
});

describe.concurrent('the service', () => {
  it('gets one Ctrl-C, although the terminal and npm send it', async () => {
    const run = npmStart('stop');
    const pids = await waitForService(run);
    process.kill(-(run.process.pid ?? 0), 'SIGINT');
    expect((await run.ended).stdout.match(/got SIGINT/g)).toHaveLength(1);
    await expectEnded(pids);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('ends with its child processes after %s', async (signal) => {
    const run = start(['leave-child']);
    const pids = await waitForService(run);
    run.process.kill(signal);
    expect(await run.ended).toMatchObject({ exitCode: 9 });
    await expectEnded(pids);
  });

  it.each([
    ['npm', npmStart],
    ['the bootstrap', (behavior: string) => start([behavior])],
  ])('ends when %s gets SIGKILL', async (_, startService) => {
    const run = startService('stop');
    const pids = await waitForService(run);
    run.process.kill('SIGKILL');
    await waitForText(run, 'got SIGTERM');
    await expectEnded(pids);
  });
});

describe('an old Node', () => {
  /** Command-line option that makes Node report another version, before it loads any other module. */
  const reportVersion = (version: string): string =>
    `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

  it.each([
    ['18.20.4', 'Touchstone needs Node 20 or newer to set itself up; this is Node 18.20.4.'],
    ['20.9.0', 'install Node 24 from'],
  ])('of version %s is rejected without a packaged Node', async (version, message) => {
    const { exitCode, stdout, stderr } = await start(['exit', '0'], [reportVersion(version)]).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('is replaced by the packaged Node', async () => {
    write('node_modules/.bin/node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    chmodSync(join(root, 'node_modules/.bin/node'), 0o755);
    expect(await start(['exit', '7'], [reportVersion('20.9.0')]).ended).toMatchObject({ exitCode: 7 });
  });
});
