import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The parts of an entry of package-lock.json that this test reads. */
interface LockedPackage {
  readonly version?: string;
  /** Hash of the package file. npm refuses to install a file with another hash. */
  readonly integrity?: string;
  /** True for a link to a package of this repository. */
  readonly link?: boolean;
  /** True for a package inside the file of another package. The hash of that file covers both packages. */
  readonly inBundle?: boolean;
}

/**
 * Packages for other platforms than Linux x64 with glibc. They have no hash, because the registry did not offer them
 * when the lockfile was written.
 */
const WITHOUT_HASH = /^@supabase\/cli-(?!linux-x64@)/;

test('package-lock.json has an integrity hash for each package that npm downloads', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  // npm writes this member in every lockfile of version 3.
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
  const downloaded = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true,
  );
  expect(downloaded.length).toBeGreaterThan(500);
  const unhashed = downloaded
    .filter(([, { integrity }]) => integrity === undefined)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version ?? ''}`);
  expect(unhashed.filter((id) => !WITHOUT_HASH.test(id))).toEqual([]);
});
