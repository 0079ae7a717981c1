import { describe } from 'vitest';
import { connectAsOwner, createDatabase, createRoles } from './testing/postgres-databases.ts';
import { findPostgres, startServer } from './testing/postgres.ts';
import { describeUpgrade } from './testing/upgrade/upgrade-cases.ts';

/** Folder of PostgreSQL's programs. A role that is no superuser applies the migrations, as in a Supabase project. */
const bin = findPostgres();
const NAME = 'upgraded';

describe.skipIf(bin === null)(
  bin === null
    ? 'an upgrade on PostgreSQL (skipped: no PostgreSQL with pgvector found)'
    : 'an upgrade on PostgreSQL',
  () =>
    describeUpgrade('of a database of the previous release', async () => {
      const server = await startServer(bin ?? '');
      const address = `127.0.0.1:${server.port}`;
      await createRoles(address);
      await createDatabase(address, NAME);
      const owner = connectAsOwner(address, NAME);
      return {
        driver: owner.driver,
        close: async () => {
          await owner.close();
          await server.stop();
        },
      };
    }),
);
