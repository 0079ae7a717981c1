import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const tools = fileURLToPath(new URL('..', import.meta.url));

interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Bootstrap {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Sends SIGINT to the whole process group of the command, as Ctrl-C in a terminal does. */
  readonly interrupt: () => void;
  /** Waits until standard output or standard error contains the text. */
  readonly waitForOutput: (text: string) => Promise<void>;
}

interface Writable {
  readonly root: string;
  readonly write: (path: string, content: string) => Promise<void>;
}

/**
 * Temporary project outside the repository. It has a copy of the real bootstrap, one local dependency, and an entry
 * file that a test provides.
 */
export interface ScratchProject extends Writable {
  /** Sets the version of the dependency. A different `lockedVersion` makes package-lock.json inconsistent. */
  depend(version: string, lockedVersion?: string): Promise<void>;
  start(args?: readonly string[], nodeOptions?: readonly string[]): Bootstrap;
  /** Starts the program through `npm start`. */
  npmStart(args: readonly string[]): Bootstrap;
  remove(): Promise<void>;
}

/**
 * Creates a temporary project.
 *
 * @param entry source of `apps/service/src/main.ts`, the entry file of the task `start`
 */
export async function createScratchProject(entry: string): Promise<ScratchProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'touchstone-bootstrap-')));
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const project: ScratchProject = {
    root,
    write,
    depend: (version, lockedVersion = version) => depend({ root, write }, version, lockedVersion),
    start: (args = [], nodeOptions = []) =>
      launch(root, process.execPath, [...nodeOptions, 'tools/bootstrap.mjs', 'start', ...args]),
    npmStart: (args) => launch(root, 'npm', ['start', '--silent', '--', ...args]),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
  await cp(join(tools, 'bootstrap.mjs'), join(root, 'tools/bootstrap.mjs'));
  await cp(join(tools, 'bootstrap'), join(root, 'tools/bootstrap'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  await write('apps/service/src/main.ts', entry);
  await project.depend('1.0.0');
  return project;
}

/** Packs one version of the dependency as a tarball and adds it to package.json and package-lock.json. */
async function depend(project: Writable, version: string, lockedVersion: string): Promise<void> {
  const tarball = await pack(project, version);
  const dependencies = { greeting: `file:${tarball.name}` };
  const manifest = { name: 'scratch', version: '1.0.0' };
  const greeting = { version: lockedVersion, resolved: `file:${tarball.name}`, integrity: tarball.integrity };
  const packages = { '': { ...manifest, dependencies }, 'node_modules/greeting': greeting };
  const scripts = { start: 'node tools/bootstrap.mjs start' };
  await project.write('package.json', JSON.stringify({ ...manifest, type: 'module', scripts, dependencies }));
  await project.write(
    'package-lock.json',
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  );
}

async function pack(
  { root, write }: Writable,
  version: string,
): Promise<{ name: string; integrity: string }> {
  const name = `greeting-${version}.tgz`;
  await write('package/package.json', JSON.stringify({ name: 'greeting', version }));
  await promisify(execFile)('tar', ['-czf', name, 'package/package.json'], { cwd: root });
  const digest = createHash('sha512').update(await readFile(join(root, name)));
  return { name, integrity: `sha512-${digest.digest('base64')}` };
}

function launch(root: string, command: string, args: readonly string[]): Bootstrap {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: undefined },
    // Each command gets a separate process group, as in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (exitCode, signal) => {
      resolve({ exitCode, signal, ...output });
    });
  });
  const waitForOutput = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (`${output.stdout}${output.stderr}`.includes(text)) resolve();
      };
      listeners.add(check);
      check();
    });
  const interrupt = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  };
  return { process: child, ended, interrupt, waitForOutput };
}
