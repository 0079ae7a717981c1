import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinary, MissingSoftwareError } from './binaries.ts';
import { openSession, type Session } from './psql.ts';
import { findFreePort } from './processes.ts';

export interface Postgres {
  readonly version: string;
  readonly session: () => Session;
  readonly stop: () => Promise<void>;
}

const MIGRATIONS = new URL('../../supabase/migrations/', import.meta.url);

/** SQL that creates the roles and default privileges of a new Supabase project. */
const SUPABASE_BASE = `
  create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`;

/**
 * PostgreSQL settings of a small server. fsync and synchronous commits stay on (the defaults). Checkpoints are rare,
 * because in a short run their full-page images would dominate the write-ahead log.
 */
const SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  effective_cache_size: '8GB',
  random_page_cost: '1.1',
  timezone: 'UTC',
};

/** Returns the ids of the user `postgres` if this process is root, because PostgreSQL refuses to run as root. */
function findServerUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const MISSING_PGVECTOR =
  'PostgreSQL has no pgvector, which the migrations need. Install pgvector 0.8 for this PostgreSQL, or put the bin folder ' +
  'of a PostgreSQL that has it first in the environment variable PATH.';

/**
 * Starts a separate PostgreSQL server in a temporary folder and applies the migrations.
 *
 * @throws MissingSoftwareError when PostgreSQL or its extension pgvector is not installed
 */
export async function startPostgres(): Promise<Postgres> {
  const initdb = findBinary(['initdb'], 'postgresql');
  const server = findBinary(['postgres'], 'postgresql');
  const user = findServerUser();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8', '-E', 'UTF8'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const port = await findFreePort();
  const settings = Object.entries({
    ...SETTINGS,
    port,
    listen_addresses: '',
    unix_socket_directories: folder,
  });
  const child = spawn(
    server,
    ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    },
  );
  const session = (): Session => openSession(folder, port);
  const stop = async (): Promise<void> => {
    await stopServer(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const version = await applyMigrations(session, child);
    return { version, session, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops the server. SIGINT requests PostgreSQL's fast shutdown, which does not wait for clients to disconnect. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
}

async function waitForServer(open: () => Session, child: ChildProcess): Promise<Session> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
    const session = open();
    const version = await session.run('select version()').catch(() => null);
    if (version !== null) return session;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('PostgreSQL did not start within ten seconds');
}

async function applyMigrations(open: () => Session, child: ChildProcess): Promise<string> {
  const session = await waitForServer(open, child);
  try {
    await session.run(SUPABASE_BASE);
    const available = await session.run(`select count(*) from pg_available_extensions where name = 'vector'`);
    if (available.trim() !== '1') throw new MissingSoftwareError(MISSING_PGVECTOR);
    for (const file of readdirSync(MIGRATIONS).sort()) {
      await session.run(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
    }
    const version = await session.run('show server_version');
    return version.trim();
  } finally {
    await session.close();
  }
}
