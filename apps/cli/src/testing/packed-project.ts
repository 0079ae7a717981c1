import { type ChildProcessWithoutNullStreams, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CommandResult, waitForEnd } from './run-command.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
export const SERVICE = 'https://touchstone.example';
const PACK = join(ROOT, 'tools/pack/pack-packages.ts');
const QUIET = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const run = promisify(execFile);

/** A project outside this repository in which only the packed command line and the packed guard are installed. */
export interface PackedProject {
  readonly folder: string;
  /** Folders of the packages that were packed. */
  readonly packages: { readonly cli: string; readonly guard: string; readonly registryEntry: string };
  /** Path of the packed command line as a file. */
  readonly cliTarball: string;
  /** Starts a program in the project. The commands of installed packages are on its path. */
  readonly start: (
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => ChildProcessWithoutNullStreams;
  /** Runs a program in the project, and waits for its end. */
  readonly run: (
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CommandResult>;
  readonly remove: () => void;
}

/** Minimum version of Node.js that the packages support. */
const MIN_NODE = [20, 18] as const;

/**
 * Finds a supported Node.js whose major version is older than the version that runs the tests. The operating system may
 * have installed such a version.
 *
 * @returns path of the program; null when this machine has no such program
 */
export function findOlderNode(): string | null {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return candidates.find(isOlderNode) ?? null;
}

/** Reads the version of a Node.js, such as `20.18.0`. @throws Error if the program is missing or no Node.js */
export function readNodeVersion(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000 }).trim().slice(1);
}

function isOlderNode(program: string): boolean {
  try {
    const [major = 0, minor = 0] = readNodeVersion(program).split('.').map(Number);
    const isSupported = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
    return isSupported && major < Number.parseInt(process.versions.node, 10);
  } catch {
    return false;
  }
}

/** Packs both packages, and installs their tarballs without a network. */
export async function createPackedProject(): Promise<PackedProject> {
  const top = mkdtempSync(join(tmpdir(), 'touchstone-packed-'));
  const [packed, tarballs, folder, cache] = ['packed', 'tarballs', 'project', 'cache'].map((name) =>
    join(top, name),
  ) as [string, string, string, string];
  for (const created of [tarballs, folder]) mkdirSync(created);
  const packages = {
    cli: join(packed, 'cli'),
    guard: join(packed, 'guard'),
    registryEntry: join(packed, 'server.json'),
  };
  const npm = async (cwd: string, ...args: readonly string[]) =>
    run('npm', [...args, ...QUIET, '--cache', cache], { cwd, shell: process.platform === 'win32' });
  await run(process.execPath, [PACK, packed, '--service', SERVICE]);
  await npm(top, 'pack', packages.cli, packages.guard, '--pack-destination', tarballs);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npm(folder, 'install', ...readdirSync(tarballs).map((file) => join(tarballs, file)));
  const path = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  const start: PackedProject['start'] = (program, args, env = {}) => {
    const variables = {
      ...process.env,
      PATH: path.join(delimiter),
      npm_config_cache: cache,
      npm_config_offline: 'true',
    };
    return spawn(program, args, {
      cwd: folder,
      env: { ...variables, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
    });
  };
  return {
    folder,
    packages,
    cliTarball: join(tarballs, readdirSync(tarballs).find((file) => file.includes('-cli-')) ?? ''),
    start,
    run: (program, args, env) => waitForEnd(start(program, args, env)),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
