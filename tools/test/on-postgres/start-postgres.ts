import { createMigratedTemplate } from '../../../libs/embedded/src/testing/postgres-databases.ts';
import { findPostgres, startServer } from '../../../libs/embedded/src/testing/postgres.ts';

/** Each test file has up to eight connections. */
const SETTINGS = ['max_connections=100', 'statement_timeout=30s'];

/** Starts a PostgreSQL server with a migrated template database, for `startMigrated`. Returns a function that stops it. */
export default async function startPostgres(): Promise<() => Promise<void>> {
  const bin = findPostgres();
  if (bin === null) {
    console.log(
      'No test runs on PostgreSQL: PostgreSQL 15 or newer with pgvector and pg_trgm is not installed.',
    );
    return () => Promise.resolve();
  }
  const server = await startServer(bin, SETTINGS);
  const address = `127.0.0.1:${server.port}`;
  await createMigratedTemplate(address);
  process.env['TEST_POSTGRES'] = address;
  return server.stop;
}
