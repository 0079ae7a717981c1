import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from '../../../libs/embedded/src/testing/postgres.ts';
import { findDatabaseTests } from './find-database-tests.ts';

/** Packages whose tests use the database through `startMigrated`. */
const PACKAGES = ['store', 'payment', 'pipeline'];
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the test files that start a database, and tests of the built site, on a PostgreSQL server instead
 * of the embedded database. Without PostgreSQL and pgvector on this machine, no test runs.
 */
export default defineConfig({
  test: {
    root: ROOT,
    maxWorkers: 2,
    isolate: false,
    passWithNoTests: true,
    globalSetup: fileURLToPath(new URL('./start-postgres.ts', import.meta.url)),
    include:
      findPostgres() === null
        ? []
        : [
            ...PACKAGES.flatMap((name) => findDatabaseTests(`libs/${name}/src/**/*.test.ts`, ROOT)),
            'tools/test/on-postgres/*.service.ts',
          ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
