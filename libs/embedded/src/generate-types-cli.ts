import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { EXTENSIONS, MIGRATIONS, migrate, readMigrations } from './migrate.ts';

const require = createRequire(import.meta.url);
const HEADER = '// Generated from supabase/migrations by `npm run db:types`; do not edit.\n';

/**
 * Files that `npm run db:types` writes: the database types and the list of migrations. The site and the service compare
 * the database with this list. `--check` only compares the files with the migrations.
 */
const FILES = [
  {
    file: new URL('../../store/src/database.generated.ts', import.meta.url),
    content: await generateTypes(),
  },
  {
    file: new URL('../../store/src/migrations.generated.ts', import.meta.url),
    content: listMigrations(),
  },
];
const toName = (file: URL): string => basename(file.pathname);

const outdated = FILES.filter(({ file, content }) => readFileSync(file, 'utf8') !== content);
if (!process.argv.includes('--check')) {
  for (const { file, content } of FILES) {
    writeFileSync(file, content);
    process.stdout.write(`${toName(file)} is written.\n`);
  }
} else if (outdated.length === 0) {
  process.stdout.write('Database types are up to date with the migrations.\n');
} else {
  const names = outdated.map(({ file }) => toName(file)).join(' and ');
  process.stderr.write(
    `${names} differs from the migrations: run \`npm run db:types\` and commit the result.\n`,
  );
  process.exitCode = 1;
}

/**
 * Generates TypeScript types of the database schema `public` for supabase-js. Applies the migrations to a database in
 * memory. The Supabase CLI reads the schema from this database over the PostgreSQL protocol.
 */
async function generateTypes(): Promise<string> {
  const database = await PGlite.create({ extensions: EXTENSIONS });
  await migrate(database, readMigrations(MIGRATIONS));
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0 });
  await server.start();
  try {
    const cli = require.resolve('supabase/dist/supabase.js');
    const url = `postgresql://postgres:postgres@${server.getServerConn()}/postgres?sslmode=disable`;
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

/**
 * Generates a TypeScript module with the names of all migrations in order. A deployed site has no migration files, so
 * it compares the database with this list.
 */
function listMigrations(): string {
  const lines = readMigrations(MIGRATIONS).map(({ version, name }) => `  '${version}_${name}',\n`);
  return `${HEADER}
/** Migrations of this release in order, as the names of their files without \`.sql\`. */
export const MIGRATIONS: readonly string[] = [\n${lines.join('')}];\n`;
}
