import { availableParallelism } from 'node:os';
import { createMigratedTemplate } from '../../libs/embedded/src/testing/postgres-databases.ts';
import { findPostgres, startServer } from '../../libs/embedded/src/testing/postgres.ts';

/**
 * Settings of the server. Each test file has up to eight connections, and Vitest runs one file
 * on each core.
 */
const SETTINGS = [`max_connections=${40 + 8 * availableParallelism()}`, 'statement_timeout=30s'];

/**
 * Starts the PostgreSQL server of a test run, with a migrated template database. `startMigrated` copies this template if
 * `TEST_POSTGRES` names the server. Vitest calls this function once for each project; only the first call starts a server.
 * Without PostgreSQL and pgvector on this machine, or with `TEST_POSTGRES` set to an empty text, the tests use the embedded
 * database instead.
 *
 * @returns Function that stops the server.
 * @throws Error if `REQUIRE_POSTGRES` is set, as in `.ci/run`, and PostgreSQL is missing.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  if (process.env['TEST_POSTGRES'] !== undefined) return () => Promise.resolve();
  const bin = findPostgres();
  if (bin === null) {
    if (process.env['REQUIRE_POSTGRES'] === undefined) return () => Promise.resolve();
    throw new Error('PostgreSQL 15 or newer with pgvector and pg_trgm is required, and none was found.');
  }
  const server = await startServer(bin, SETTINGS);
  const address = `127.0.0.1:${server.port}`;
  try {
    await createMigratedTemplate(address);
  } catch (error) {
    await server.stop();
    throw error;
  }
  process.env['TEST_POSTGRES'] = address;
  return server.stop;
}
