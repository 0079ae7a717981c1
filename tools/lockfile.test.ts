import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The parts of an entry of package-lock.json that this test reads. */
interface LockedPackage {
  /** Hash of the package file. npm refuses to install a file with another hash. */
  readonly integrity?: string;
  /** URL of the package file. Without this member, npm asks the registry of its configuration. */
  readonly resolved?: string;
  /** True for a link to a package of this repository. */
  readonly link?: boolean;
  /** True for a package inside the file of another package. The hash of that file covers both packages. */
  readonly inBundle?: boolean;
}

/**
 * Packages of the Supabase CLI for other platforms than Linux x64 with glibc. They have no hash, because the registry did
 * not offer them when the lockfile was written. Versions of the CLI that it offers for every platform need Docker.
 */
const WITHOUT_HASH = /^node_modules\/@supabase\/cli-(?!linux-x64$)[a-z0-9-]+$/;

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
// npm writes this member in every lockfile of version 3.
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
const downloaded = Object.entries(packages).filter(
  ([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true,
);

describe('package-lock.json', () => {
  it('has an integrity hash for each package that npm downloads', () => {
    expect(downloaded.length).toBeGreaterThan(500);
    const unhashed = downloaded.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(unhashed.map(([path]) => path).filter((path) => !WITHOUT_HASH.test(path))).toEqual([]);
  });

  it('names no registry but that of npm', () => {
    const elsewhere = downloaded.filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });
});
