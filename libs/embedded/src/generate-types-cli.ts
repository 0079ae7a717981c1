import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { listMigrations } from './list-migrations.ts';
import { generateTypes } from './generate-types.ts';

/**
 * Program of `npm run db:types`. It writes the database types, and the list of migrations with which the site and the
 * service compare the database. `--check` only compares these files with the migrations.
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
