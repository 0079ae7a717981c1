import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS, migrate, readMigrations } from '../migrate.ts';
import { openSession, type Session } from './psql-session.ts';

const NEEDED = ['initdb', 'postgres', 'psql'] as const;
/** Users that PostgreSQL may run as when the tests run as root, which it refuses. */
const USERS = ['postgres', 'nobody'] as const;

export interface RealPostgres {
  /** Another connection, a process of its own. */
  session(): Promise<Session>;
  stop(): Promise<void>;
}

/** The folder with PostgreSQL's programs: on the path, or where Debian keeps them. Null when there is none. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => NEEDED.every((name) => existsSync(join(folder, name)))) ?? null;
}

/**
 * Starts a PostgreSQL server of its own in a temporary folder, on a free port of loopback, with the migrations applied.
 * Nothing of it is durable: it is for what the embedded database cannot show, several connections at once.
 *
 * @throws when it does not start, with what it said.
 */
export async function startPostgres(bin: string): Promise<RealPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-postgres-'));
  const user = process.getuid?.() === 0 ? unprivileged() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    'deadlock_timeout=200ms',
    'max_connections=30',
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const session = () => openSession(join(bin, 'psql'), { host: '127.0.0.1', port, user: 'postgres' });
  const stop = async (): Promise<void> => {
    // SIGINT is PostgreSQL's fast shutdown: it ends the connections that are left.
    await ended(server, 'SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(server, session);
    await applyMigrations(await session());
    return { session, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function unprivileged(): { uid: number; gid: number } {
  const idOf = (flag: '-u' | '-g', name: string): number =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || Number.NaN);
  for (const name of USERS) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${USERS.join(' or ')}.`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function ready(server: ChildProcess, session: () => Promise<Session>): Promise<void> {
  let said = '';
  server.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) break;
    try {
      const first = await session();
      await first.close();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`PostgreSQL did not start: ${said}`);
}

async function applyMigrations(session: Session): Promise<void> {
  const [found] = await session.rows("select 1 from pg_available_extensions where name = 'vector'");
  const migrations = readMigrations(MIGRATIONS).map((migration) => ({
    ...migration,
    // Debian 12 has no pgvector for its PostgreSQL, and what is tested here does not need it.
    sql: found ? migration.sql : migration.sql.replace(/create extension if not exists vector [^;]*;/, ''),
  }));
  await migrate(session, migrations);
  await session.close();
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await exit;
}
