import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts PostgreSQL's own programs, which are not on the path. */
const POSTGRES_HOME = '/usr/lib/postgresql';

function postgresFolders(): string[] {
  if (!existsSync(POSTGRES_HOME)) return [];
  const versions = readdirSync(POSTGRES_HOME).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(POSTGRES_HOME, version, 'bin'));
}

/**
 * Path of a program that a benchmark needs.
 * @throws when it is not installed, naming the Debian package that brings it.
 */
export function findBinary(names: readonly string[], debianPackage: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...postgresFolders()];
  for (const folder of folders) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  throw new Error(
    `${names.join(' or ')} is not installed, and this benchmark compares with it. On Debian: apt-get install ${debianPackage}`,
  );
}
