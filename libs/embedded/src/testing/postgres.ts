import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from './sessions.ts';

const PROGRAMS = ['initdb', 'postgres'] as const;
/** Maximum duration of a restart after a kill, in milliseconds. */
const RESTART_MS = 60_000;
/** Users that start PostgreSQL when the tests run as root, because PostgreSQL refuses to run as root. */
const USERS = ['postgres', 'nobody'] as const;

/**
 * Finds the folder with the programs of PostgreSQL 15 or newer, in Debian's folder or on the PATH. The extensions
 * pgvector and pg_trgm must be installed, because the migrations need them. Returns null when there is no such folder.
 */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const hasPrograms = (folder: string): boolean => PROGRAMS.every((name) => existsSync(join(folder, name)));
  return folders.find((folder) => hasPrograms(folder) && hasPgvector(folder)) ?? null;
}

function hasPgvector(folder: string): boolean {
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  const major = Number(/\d+/.exec(stdout)?.[0]);
  const shares = [
    `/usr/share/postgresql/${major}`,
    join(folder, '../share'),
    join(folder, '../share/postgresql'),
  ];
  const hasExtensions = (share: string): boolean =>
    ['vector', 'pg_trgm'].every((name) => existsSync(join(share, `extension/${name}.control`)));
  return major >= 15 && shares.some(hasExtensions);
}

/** A PostgreSQL server without migrations. */
export interface Server {
  readonly port: number;
  /**
   * Kills the main process of the server, and starts the server again. The other processes of the killed server end,
   * too.
   */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL server on a free loopback port. `fsync` is off, so the data is not durable.
 *
 * @param keptFolder Folder of the data, which may have the data of an earlier server. Without it, the folder is
 *   temporary.
 * @throws Error with the server's output when the server does not start.
 */
export async function startServer(
  bin: string,
  extraSettings: readonly string[] = [],
  keptFolder?: string,
): Promise<Server> {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'touchstone-postgres-'));
  mkdirSync(folder, { recursive: true });
  const user = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  if (!existsSync(data)) {
    const made = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...user, cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }
  const port = await findFreePort();
  const settings = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    'deadlock_timeout=200ms',
    'max_connections=30',
    ...extraSettings,
  ];
  const start = () =>
    spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  let server = start();
  const kill = async (): Promise<void> => {
    await stopProcess(server, 'SIGKILL');
    const deadline = Date.now() + RESTART_MS;
    // A start fails until the other processes of the killed server have ended.
    for (server = start(); !(await isReady(server, port)); server = start()) {
      await stopProcess(server, 'SIGKILL');
      if (Date.now() > deadline) throw new Error('The killed PostgreSQL server did not start again.');
    }
  };
  const stop = async (): Promise<void> => {
    // On SIGINT, PostgreSQL closes open connections and shuts down immediately.
    await stopProcess(server, 'SIGINT');
    if (keptFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server, port);
    return { port, kill, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findUnprivilegedUser(): { uid: number; gid: number } {
  const readId = (flag: '-u' | '-g', name: string): number =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || Number.NaN);
  for (const name of USERS) {
    const [uid, gid] = [readId('-u', name), readId('-g', name)];
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${USERS.join(' or ')}.`);
}

/** Returns a free loopback port. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The cast is safe, because the address of a listening TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function waitUntilReady(server: ChildProcess, port: number): Promise<void> {
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  if (!(await isReady(server, port))) throw new Error(`PostgreSQL did not start: ${output}`);
}

/** Waits until a server accepts connections. Resolves to false if the server ends first, or after ten seconds. */
async function isReady(server: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null || server.signalCode !== null) return false;
    try {
      const session = await openSession(`127.0.0.1:${port}`, 'postgres');
      await session.close();
      return true;
    } catch {
      await sleep(100);
    }
  }
  return false;
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await exit;
}
