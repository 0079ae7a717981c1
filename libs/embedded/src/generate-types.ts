import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { EXTENSIONS } from './extensions.ts';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';

const require = createRequire(import.meta.url);
const HEADER = '// Generated from supabase/migrations by `npm run db:types`; do not edit.\n';

/**
 * Generates TypeScript types of the database schema `public` for supabase-js. Applies the migrations to a database in
 * memory, from which the Supabase CLI reads the schema over the PostgreSQL protocol.
 */
export async function generateTypes(): Promise<string> {
  const database = await PGlite.create({ extensions: EXTENSIONS });
  await migrate(database, readMigrations(MIGRATIONS));
  const port = await findFreePort();
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port });
  await server.start();
  try {
    const cli = require.resolve('supabase/dist/supabase.js');
    const url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'gen', 'types', 'typescript', '--db-url', url, '--schema', 'public'],
      {
        maxBuffer: 16 * 1024 * 1024,
        env: { ...process.env, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' },
      },
    );
    return HEADER + stdout;
  } finally {
    await server.stop();
    await database.close();
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
