import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres, startServer } from '../../libs/embedded/src/testing/postgres.ts';
import { formatNumber, printTable } from './figures.ts';
import { readOnCpuMs } from './processes.ts';

export interface TimedResult {
  /** Time from the request to the response, in milliseconds. */
  readonly ms: number;
  /** CPU time of this connection's server process, in milliseconds. Other load on the machine hardly changes it. */
  readonly cpuMs: number;
  readonly output: string;
}

export interface Session {
  /**
   * Runs SQL, which can include COPY data. Returns psql's output, unaligned and without headings. Rejects with psql's
   * error.
   */
  readonly run: (sql: string) => Promise<string>;
  /** Runs SQL and measures its duration. */
  readonly time: (sql: string) => Promise<TimedResult>;
  readonly close: () => Promise<void>;
}

export interface Postgres {
  readonly version: string;
  readonly session: () => Session;
}

const MIGRATIONS = new URL('../../supabase/migrations/', import.meta.url);

/** SQL that creates the roles and default privileges of a new Supabase project. */
const SUPABASE_BASE = `
  drop role if exists anon, authenticated, service_role;
  create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`;

/** Folder of the server's socket. Programs on the same machine connect faster by a socket than by TCP. */
const SOCKET_FOLDER = '/tmp';

/**
 * PostgreSQL settings of a small server with durable commits. Checkpoints are rare, because in a short run their full-page
 * images would dominate the write-ahead log.
 */
const SETTINGS = [
  'fsync=on',
  `unix_socket_directories=${SOCKET_FOLDER}`,
  'shared_buffers=2GB',
  'max_wal_size=8GB',
  'checkpoint_timeout=15min',
  'work_mem=64MB',
  'maintenance_work_mem=512MB',
  'effective_cache_size=8GB',
  'random_page_cost=1.1',
  'timezone=UTC',
];

interface PostgresOptions {
  /**
   * Folder of the server, whose data is kept. An existing folder is used without applying the migrations and without
   * loading. Without it, the folder is temporary.
   */
  readonly folder?: string | undefined;
  /** Loads the data, after the migrations were applied. */
  readonly load?: (session: Session) => Promise<void>;
}

/**
 * Starts a separate PostgreSQL server, applies the migrations, loads the data, and passes the server to `work`. Stops
 * the server afterwards.
 *
 * @throws Error when PostgreSQL or its extension pgvector is not installed
 */
export async function runWithPostgres(
  work: (postgres: Postgres) => Promise<void>,
  { folder, load }: PostgresOptions = {},
): Promise<void> {
  const bin = findPostgres();
  if (bin === null)
    throw new Error(
      'This benchmark needs PostgreSQL 15 or newer with pgvector and pg_trgm, and none was found.',
    );
  const server = await startServer(bin, SETTINGS, folder);
  const open = (database: string): Session => openSession(join(bin, 'psql'), server.port, database);
  try {
    const admin = open('postgres');
    const isLoaded = (await admin.run(`select 1 from pg_database where datname = 'bench'`)) !== '';
    if (!isLoaded) {
      await admin.run(`drop database if exists loading`);
      await admin.run(`create database loading template template0 locale 'C.UTF-8'`);
      const session = open('loading');
      await session.run(SUPABASE_BASE);
      for (const file of readdirSync(MIGRATIONS).sort())
        await session.run(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
      await load?.(session);
      await session.close();
      // An interrupted run leaves no database `bench` with a part of the data.
      await admin.run('alter database loading rename to bench');
    }
    const version = (await admin.run('show server_version')).trim();
    await admin.close();
    await work({ version, session: () => open('bench') });
  } finally {
    await server.stop();
  }
}

const END_MARK = '~~done~~';
const ARGS = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-U', 'postgres', '-h', SOCKET_FOLDER];

/** Opens one connection with the program `psql`, because `psql` reads COPY data from its input. */
function openSession(psql: string, port: number, database: string): Session {
  const child = spawn(psql, [...ARGS, '-p', String(port), '-d', database], {
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  });
  /**
   * Chunks of the output. The chunks are joined only at the end, because checking the end of a joined text copies the
   * text.
   */
  let chunks: string[] = [];
  let errors = '';
  let settle: (() => void) | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    chunks.push(text);
    const end = text.length > END_MARK.length ? text : chunks.slice(-END_MARK.length).join('');
    if (end.endsWith(`${END_MARK}\n`)) settle?.();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      settle?.();
      resolve();
    });
  });
  const run = async (sql: string): Promise<string> => {
    const completed = new Promise<void>((resolve) => (settle = resolve));
    // psql 15.20 runs no further command after an empty statement that follows the data of a COPY.
    const end = sql.endsWith('\\.\n') ? '' : '\n;\n';
    child.stdin.write(`${sql}${end}\\echo ${END_MARK}\n`);
    await completed;
    const result = chunks.join('');
    chunks = [];
    if (!result.endsWith(`${END_MARK}\n`)) throw new Error(`psql: ${errors.trim().slice(0, 2_000)}`);
    return result.slice(0, -END_MARK.length - 1);
  };
  return {
    run,
    time: createTimer(run),
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Returns a function that runs SQL and measures the elapsed time and the CPU time of the server process. */
function createTimer(run: Session['run']): Session['time'] {
  let backend: number | null = null;
  return async (sql) => {
    const pid = (backend ??= Number(await run('select pg_backend_pid()')));
    const cpuBefore = readOnCpuMs(pid);
    const startedAt = performance.now();
    const output = await run(sql);
    const ms = performance.now() - startedAt;
    return { ms, cpuMs: readOnCpuMs(pid) - cpuBefore, output };
  };
}

/** Returns the current position of PostgreSQL's write-ahead log, in bytes. */
export async function readWalBytes(session: Session): Promise<number> {
  return Number(await session.run(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`));
}

/** Tables to measure: the displayed name and the SQL relation of each table. */
type Tables = readonly (readonly [name: string, relation: string])[];

/** Prints the average size of one row in each table, in bytes, with its indexes and TOAST data. */
export async function printSizes(session: Session, tables: Tables): Promise<void> {
  const rows: (readonly string[])[] = [['Size', 'rows', 'B/row']];
  for (const [name, relation] of tables) {
    const output = await session.run(
      `select count(*), pg_total_relation_size('${relation}') from ${relation}`,
    );
    const [count = 0, bytes = 0] = output.trim().split('|').map(Number);
    rows.push([name, formatNumber(count), formatNumber(bytes / count)]);
  }
  printTable(rows);
}

/** Returns a text as an SQL string literal. */
export function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
