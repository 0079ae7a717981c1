import { readFileSync, writeFileSync } from 'node:fs';
import { generateTypes } from './generate-types.ts';

/** Database types, which `npm run db:types` writes. `--check` only compares this file with the migrations. */
const file = new URL('../../store/src/database.generated.ts', import.meta.url);
const types = await generateTypes();
if (!process.argv.includes('--check')) {
  writeFileSync(file, types);
  process.stdout.write('libs/store/src/database.generated.ts is written.\n');
} else if (readFileSync(file, 'utf8') === types) {
  process.stdout.write('Database types are up to date with the migrations.\n');
} else {
  process.stderr.write(
    'Database types differ from the migrations: run `npm run db:types` and commit the file.\n',
  );
  process.exitCode = 1;
}
