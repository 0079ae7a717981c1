import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { Backups } from './backups.ts';
import { startCheckpoints } from './checkpoints.ts';
import { createLock } from './lock.ts';
import { MIGRATIONS, migrate, readMigrations, type SqlRunner } from './migrate.ts';
import { openDatabase, type OpenedDatabase } from './open-database.ts';
import { runRequestsInTransactions, toRequestError } from './run-requests.ts';
import { serve, type EmbeddedKeys } from './serve.ts';

export interface EmbeddedOptions {
  /** Data folder of the database; in memory when omitted. Only one process at a time may use the folder. */
  readonly dataDir?: string;
  /** Port on loopback; any free port when omitted or 0. */
  readonly port?: number;
  readonly keys: EmbeddedKeys;
  /**
   * Archive of a data folder, created by PGlite's `dumpDataDir`. A new database starts with the content of this
   * archive; it starts empty when the archive is omitted.
   */
  readonly template?: Blob;
  /** Receives the reason once when the database cannot continue. The process should then end. */
  readonly onFatal?: (message: string) => void;
  /** Receives a sentence for the operator, such as that the disk is full. */
  readonly onNotice?: (message: string) => void;
}

/** Connection with all rights, for tests and tools. */
export interface Driver extends SqlRunner {
  readonly query: PgliteConnection['driver']['query'];
}

/** A database with its Supabase API. */
export interface EmbeddedDatabase {
  /** Base URL for supabase-js. */
  readonly url: string;
  /** Versions of the migrations that were applied during this start. */
  readonly applied: readonly string[];
  readonly connection: { readonly driver: Driver };
  close(): Promise<void>;
}

/** A database that runs in this process. */
interface PgliteDatabase extends EmbeddedDatabase {
  readonly connection: PgliteConnection;
}

/** Ends this process, because nothing may be written after PostgreSQL has failed. */
function endProcess(message: string): void {
  process.stderr.write(`embedded database: ${message}\n`);
  process.exit(1);
}

/** Minimum free space for writing, in bytes. PostgreSQL panics when a segment of its log finds no space. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
/** Time for which a measured value of the free space is used, in milliseconds. */
const SPACE_CACHE_MS = 500;

/**
 * Creates a function that returns true while the disk of a folder has too little space for writing.
 *
 * @param onNotice receives a sentence for the operator when the disk becomes full, and when it has space again
 */
function createSpaceCheck(folder: string, onNotice: (message: string) => void): () => boolean {
  let readAt = Number.NEGATIVE_INFINITY;
  let wasFull = false;
  return () => {
    const now = performance.now();
    if (now - readAt < SPACE_CACHE_MS) return wasFull;
    readAt = now;
    const { bavail, bsize } = fs.statfsSync(folder);
    const isFull = bavail * bsize < MIN_FREE_BYTES;
    if (isFull && !wasFull)
      onNotice(
        `The disk is full: less than ${MIN_FREE_BYTES / 1024 / 1024} MB are free. Nothing is recorded or sold until space is freed; reading continues.`,
      );
    if (!isFull && wasFull) onNotice('The disk has free space again. Recording continues.');
    return (wasFull = isFull);
  };
}

/**
 * Starts the embedded database on loopback: the Supabase API over PGlite with pgvector and pg_trgm. Applies all pending
 * migrations. Each commit is on the disk before its request gets a response.
 *
 * @throws Error when the folder is damaged or not writable, the disk is full, a migration fails or the port is in use
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<PgliteDatabase> {
  const { onFatal = endProcess, onNotice = () => undefined } = options;
  const opened = await openDatabase({ ...options, onFatal });
  const { connection, files } = opened;
  const { driver } = connection;
  try {
    const applied = await applyMigrations(opened);
    await removeUnusedParsers(driver);
    const lock = createLock();
    const isFull = files === null ? () => false : createSpaceCheck(files.folder, onNotice);
    runRequestsInTransactions(connection, {
      lock,
      isReadOnly: isFull,
      toError: (error) => toRequestError(error, { isFull: isFull(), folder: files?.folder ?? null }),
    });
    const backups = files === null ? null : new Backups(connection, lock);
    const isPaused = (): boolean => isFull() || backups?.isRunning === true;
    const stopCheckpoints = files === null ? () => undefined : startCheckpoints({ driver, lock, isPaused });
    const server = await serve(connection, { ...options, backups });
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      applied,
      connection,
      close: async () => {
        stopCheckpoints();
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
        // After a panic, PostgreSQL would try to write its broken state.
        if (files?.hasFailed !== true) await lock(() => connection.close());
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function applyMigrations({ connection, files }: OpenedDatabase): Promise<readonly string[]> {
  const { driver } = connection;
  // If a power failure removes a migration, the next start applies the migration again. So the commits need no sync.
  await driver.exec('set synchronous_commit = off');
  const folder = files === null ? null : dirname(files.folder);
  const applied = await migrate(driver, readMigrations(MIGRATIONS), folder);
  await driver.exec(`set synchronous_commit = on; ${applied.length === 0 ? '' : 'checkpoint'}`);
  return applied;
}

/** PostgreSQL types whose arrays occur in the results of functions. */
const ARRAY_TYPES = [
  ...['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'text', 'varchar', 'name'],
  ...['date', 'timestamp', 'timestamptz', 'json', 'jsonb', 'uuid', 'oid', 'bytea'],
];

/**
 * Removes PGlite's parsers for arrays that no query returns: arrays of other system types, and arrays of table rows.
 * PGlite copies its list of parsers for each query, and a copy of all parsers takes a third of the CPU time of a small
 * query.
 */
async function removeUnusedParsers(driver: PgliteConnection['driver']): Promise<void> {
  const { rows } = await driver.query<{ oid: number }>(
    `select t.typarray::int as oid from pg_type t left join pg_class c on c.oid = t.typrelid
      where t.typarray <> 0 and (c.relkind <> 'c' or t.typnamespace::regnamespace::text in ('pg_catalog', 'information_schema'))
        and not (t.typnamespace = 'pg_catalog'::regnamespace and t.typname = any($1))`,
    [ARRAY_TYPES],
  );
  for (const { oid } of rows) Reflect.deleteProperty(driver.parsers, oid);
}
