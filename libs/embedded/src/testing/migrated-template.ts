import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite/vector';
import { MIGRATIONS, migrate, readMigrations, type Migration } from '../migrate.ts';

const CACHE = new URL('../../../../node_modules/.cache/touchstone/', import.meta.url);
/** What else decides what a migrated database is: how migrations are applied, and the version of its PostgreSQL. */
const MAKERS = ['../migrate.ts', '../../package.json'].map((path) => new URL(path, import.meta.url));

export interface TemplateSource {
  /** Those of this repository when absent. */
  readonly migrations?: readonly Migration[];
  /** Folder of the kept archives, with a slash at its end. */
  readonly cache?: URL;
  /** Makes the archive when none is kept. */
  readonly make?: (migrations: readonly Migration[]) => Promise<Blob>;
}

/**
 * Archive of a migrated, empty data folder, for `EmbeddedOptions.template`: to begin with it takes a fifth of the work
 * of making a database and migrating it. It is made by whoever needs it first and kept under a hash of all that it is
 * made from, so that one that is out of date is never found, and removed when the next one is made.
 * @throws when a migration fails, or the archive cannot be written.
 */
export async function migratedTemplate(source: TemplateSource = {}): Promise<Blob> {
  const { migrations = readMigrations(MIGRATIONS), cache = CACHE, make = archiveOf } = source;
  const name = `${await hashOf(migrations)}.tar`;
  try {
    return new Blob([await readFile(new URL(name, cache))]);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const template = await make(migrations);
  await keep(template, name, cache);
  return template;
}

async function hashOf(migrations: readonly Migration[]): Promise<string> {
  const makers = await Promise.all(MAKERS.map((file) => readFile(file, 'utf8')));
  return createHash('sha256')
    .update(JSON.stringify([makers, migrations]))
    .digest('hex');
}

async function archiveOf(migrations: readonly Migration[]): Promise<Blob> {
  const database = await PGlite.create({ extensions: { vector } });
  try {
    await migrate(database, migrations);
    return await database.dumpDataDir('none');
  } finally {
    await database.close();
  }
}

/** Several may make the same archive at once: each writes a file of its own and puts it in place whole. */
async function keep(template: Blob, name: string, cache: URL): Promise<void> {
  await mkdir(cache, { recursive: true });
  const part = new URL(`${name}.${randomUUID()}.part`, cache);
  await writeFile(part, new Uint8Array(await template.arrayBuffer()));
  await rename(part, new URL(name, cache));
  const older = (await readdir(cache)).filter((file) => file.endsWith('.tar') && file !== name);
  for (const file of older) await rm(new URL(file, cache), { force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
