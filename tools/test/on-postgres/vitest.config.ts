import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from '../../../libs/embedded/src/testing/postgres.ts';

/** Packages whose tests use the database through `startMigrated`. */
const PACKAGES = ['store', 'payment', 'pipeline'];

/**
 * Runs the tests of the packages that use the database, and tests of the built site, on a PostgreSQL server instead
 * of the embedded database. Without PostgreSQL and pgvector on this machine, no test runs.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    maxWorkers: 2,
    isolate: false,
    passWithNoTests: true,
    globalSetup: fileURLToPath(new URL('./start-postgres.ts', import.meta.url)),
    include:
      findPostgres({ withPgvector: true }) === null
        ? []
        : [...PACKAGES.map((name) => `libs/${name}/src/**/*.test.ts`), 'tools/test/on-postgres/*.service.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
