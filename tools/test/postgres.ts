import { createMigratedTemplate } from '../../libs/embedded/src/testing/postgres-databases.ts';
import { findPostgres, startServer } from '../../libs/embedded/src/testing/postgres.ts';

/** Each test file has up to eight connections. */
const SETTINGS = ['max_connections=100', 'statement_timeout=30s'];

/**
 * Starts the PostgreSQL server of a test run, with a migrated template database. `startMigrated` copies this template if
 * `TEST_POSTGRES` names the server. Vitest calls this function once for each project; only the first call starts a server.
 * Without PostgreSQL and pgvector on this machine, or with `TEST_POSTGRES` set to an empty text, the tests use the embedded
 * database instead.
 *
 * @returns Function that stops the server.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  const doNothing = () => Promise.resolve();
  if (process.env['TEST_POSTGRES'] !== undefined) return doNothing;
  // The projects of one run start at the same time, so the variable is set before the server runs.
  process.env['TEST_POSTGRES'] = '';
  const bin = findPostgres();
  if (bin === null) return doNothing;
  const server = await startServer(bin, SETTINGS);
  const address = `127.0.0.1:${server.port}`;
  await createMigratedTemplate(address);
  process.env['TEST_POSTGRES'] = address;
  return server.stop;
}
