import { readFileSync, writeFileSync } from 'node:fs';
import { listMigrations } from './list-migrations.ts';
import { generateTypes } from './generate-types.ts';

/**
 * Program of `npm run db:types`. It writes the database types, and the list of migrations with which the site and the
 * service compare the database. `--check` only compares these files with the migrations.
 */
const FILES = [
  { path: 'libs/store/src/database.generated.ts', content: await generateTypes() },
  { path: 'libs/store/src/migrations.generated.ts', content: await listMigrations() },
];
const root = new URL('../../../', import.meta.url);

const outdated = FILES.filter(({ path, content }) => readFileSync(new URL(path, root), 'utf8') !== content);
if (!process.argv.includes('--check')) {
  for (const { path, content } of FILES) {
    writeFileSync(new URL(path, root), content);
    process.stdout.write(`${path} is written.\n`);
  }
} else if (outdated.length === 0) {
  process.stdout.write('Database types are up to date with the migrations.\n');
} else {
  const names = outdated.map(({ path }) => path).join(' and ');
  process.stderr.write(
    `${names} differs from the migrations: run \`npm run db:types\` and commit the result.\n`,
  );
  process.exitCode = 1;
}
