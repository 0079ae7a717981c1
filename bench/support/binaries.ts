import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folder of PostgreSQL's server programs on Debian. These programs are not on PATH. */
const POSTGRES_HOME = '/usr/lib/postgresql';

function postgresFolders(): string[] {
  if (!existsSync(POSTGRES_HOME)) return [];
  const versions = readdirSync(POSTGRES_HOME).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(POSTGRES_HOME, version, 'bin'));
}

/** Software that a benchmark needs is not installed. The message says what to install. */
export class MissingSoftwareError extends Error {}

/**
 * Returns the path of a program that a benchmark needs.
 * @throws MissingSoftwareError when the program is not installed. The message names the Debian package to install.
 */
export function findBinary(names: readonly string[], debianPackage: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...postgresFolders()];
  for (const folder of folders) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  throw new MissingSoftwareError(
    `${names.join(' or ')} is not installed, but this benchmark needs it. On Debian: apt-get install ${debianPackage}`,
  );
}
